import i18next from 'i18next'

import { attempt } from '../../app/bridge.ts'
import { failureText } from '../../app/failure-text.ts'
import { useProfiles } from '../../stores/profiles.ts'
import { useToasts } from '../../stores/toasts.ts'

import { useDrafts } from './draft-store.ts'

import type { Failure, ProfileSummary } from '../../../electron/contract/index.ts'

type Said = 'undone' | 'undoFailed' | 'failed' | 'restored' | 'removed' | 'inUse' | 'useDefaultAndRemove' | 'hidden' | 'shown'

const say = (key: Said, values: { name?: string; message?: string } = {}): string =>
  i18next.t(`act.${key}`, { ns: 'profiles', name: '', message: '', ...values })

function why(failure: Failure): string {
  const { message, hint } = failureText(i18next.t, failure)
  return [message, hint, `(${failure.code})`].filter(Boolean).join(' ')
}

const show = (text: string): void => void useToasts.getState().show({ text })

/** Takes a change of the profiles back, and says so or why not. */
export async function takeBack(undoId: string): Promise<void> {
  const answer = await attempt('profiles.undo', { undoId })
  if (answer.ok) {
    useProfiles.getState().accept(answer.value)
    show(say('undone'))
  } else show(say('undoFailed', { message: why(answer.error) }))
}

/** Tells what was done, with a way back. */
export function tellUndoable(text: string, undoId: string): void {
  useToasts.getState().show({ text, undo: () => takeBack(undoId) })
}

function failed(failure: Failure): void {
  show(say('failed', { message: why(failure) }))
}

export async function takeProfile(name: string): Promise<Failure | null> {
  const answer = await attempt('profiles.use', { name })
  if (!answer.ok) return answer.error
  useProfiles.getState().accept(answer.value)
  return null
}

/** Removes a person's own profile, or brings the shipped one back. One in use is asked about first. */
export async function removeProfile({ name, edited }: Pick<ProfileSummary, 'name' | 'edited'>): Promise<void> {
  const answer = await attempt('profiles.remove', { name })
  if (answer.ok) {
    const { snapshot, undoId } = answer.value
    useDrafts.getState().forget(name)
    useProfiles.getState().accept(snapshot)
    if (edited) void useDrafts.getState().open(name)
    tellUndoable(say(edited ? 'restored' : 'removed', { name }), undoId)
    return
  }
  if (answer.error.code !== 'profile/in-use') {
    failed(answer.error)
    return
  }
  const run = async (): Promise<void> => {
    const failure = await takeProfile('default')
    if (failure) failed(failure)
    else await removeProfile({ name, edited })
  }
  useToasts.getState().show({
    text: say('inUse', { name }),
    action: { label: say('useDefaultAndRemove'), run: () => void run() },
    stays: true,
    topic: 'remove-profile',
  })
}

export async function hideProfile(name: string, hidden: boolean): Promise<void> {
  const answer = await attempt('profiles.setDetails', { name, details: { hidden } })
  if (!answer.ok) {
    failed(answer.error)
    return
  }
  useProfiles.getState().accept(answer.value)
  useToasts.getState().show({
    text: say(hidden ? 'hidden' : 'shown', { name }),
    undo: () => hideProfile(name, !hidden),
  })
}

export async function openFolder(name: string): Promise<void> {
  const answer = await attempt('profiles.openFolder', { name })
  if (!answer.ok) failed(answer.error)
}

/** Chooses a folder of the robot's app that is edited in place, or lets it go. */
export async function editFolder(action: 'choose' | 'close'): Promise<void> {
  const answer = await attempt('profiles.editFolder', { action })
  if (answer.ok) useProfiles.getState().accept(answer.value)
  else failed(answer.error)
}
