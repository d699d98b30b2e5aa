import { contextBridge, ipcRenderer } from 'electron'

import { EVENT_CHANNEL, REQUEST_CHANNEL } from './contract/channels.ts'

import type { CompanionBridge } from './contract/envelope.ts'

type Listener = (payload: unknown) => void

const listeners = new Map<string, Set<Listener>>()

ipcRenderer.on(EVENT_CHANNEL, (_event, name: string, payload: unknown) => {
  // A copy: a listener may take itself off while it runs.
  for (const listener of [...(listeners.get(name) ?? [])]) listener(payload)
})

/** The page's only way to the main process, which checks every route name and every payload. */
const bridge: CompanionBridge = {
  request: (route, payload) => ipcRenderer.invoke(REQUEST_CHANNEL, route, payload),
  on(event, listener) {
    const own = listeners.get(event) ?? new Set()
    listeners.set(event, own)
    own.add(listener as Listener)
    return () => own.delete(listener as Listener)
  },
}

contextBridge.exposeInMainWorld('companion', bridge)
