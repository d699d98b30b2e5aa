import { CompanionError } from '../contract/index.ts'

import { sameSlug } from './operations.ts'
import { problemId } from './repairs.ts'
import { restoreIn } from './restore.ts'
import { writeState } from './state.ts'
import { placesIn, usualPlaces } from './upstream-places.ts'
import { compared, imported, readPlaces } from './upstream.ts'

import type { JsonValue, SpacesSnapshot } from '../contract/index.ts'
import type { Receipt, Storage, Transaction } from '../storage/index.ts'
import type { InstanceChoice, Place } from './place.ts'
import type { SpacesState } from './state.ts'
import type { Spaces } from './types.ts'
import type { Undo } from './undo.ts'
import type { UpstreamSearch } from './upstream-places.ts'
import type { FoundManifest } from './upstream.ts'

export interface ManifestCareDeps {
  readonly storage: Storage
  readonly place: Place
  readonly choice: InstanceChoice
  /** Where the robot's own app may keep its list; absent: only where a person says. */
  readonly search?: UpstreamSearch | undefined
  readonly undos: Undo
  readonly now: () => number
  hubIsLoopback(): boolean
  state(): Promise<SpacesState>
  stateIn(tx: Transaction): Promise<SpacesState>
  /** Reads, changes and writes under one lock, unless the state is not to be written. */
  change(
    label: string,
    body: (tx: Transaction, before: SpacesState) => Promise<void>,
  ): Promise<{ readonly receipt: Receipt }>
  announce(): Promise<SpacesSnapshot>
  /** What belongs to the manifest that was in force until now is given up. */
  switched(): void
}

/** What a person does about the manifest as a whole: repairs, and lists of the robot's own app. */
export function createManifestCare(
  deps: ManifestCareDeps,
): Pick<Spaces, 'discard' | 'restore' | 'upstream' | 'importUpstream' | 'useInstance'> {
  const { storage, place, undos, now } = deps
  /** Paths that were shown; no other file is imported from or worked on. */
  const shown = new Set<string>()

  const found = async (places: readonly string[]): Promise<FoundManifest[]> => {
    await place.ready()
    const except = [place.own.manifest, place.files.manifest]
    return readPlaces(places, { storage, hubIsLoopback: deps.hubIsLoopback(), except })
  }
  /** @throws CompanionError `storage/conflict`: never shown, or gone since. */
  const shownAgain = async (file: string): Promise<FoundManifest> => {
    const [again] = shown.has(file) ? await found([file]) : []
    if (again === undefined || again.path !== file) throw new CompanionError('storage/conflict', { path: file })
    return again
  }

  return {
    async discard(id) {
      const { receipt } = await deps.change(`discard ${id}`, async (tx, before) => {
        const isIt = (entry: { readonly raw: JsonValue }): boolean => problemId(entry) === id
        const entries = before.quarantine.entries.filter((entry) => !isIt(entry))
        if (before.bad.some(isIt)) writeState(tx, place.files, before, { ...before, settled: isIt }, now())
        else if (entries.length < before.quarantine.entries.length)
          tx.write(place.files.quarantine, `${JSON.stringify({ version: 1, entries }, null, 2)}\n`)
        else throw new CompanionError('storage/conflict', { path: place.files.manifest })
      })
      const undoId = undos.add(receipt)
      return { snapshot: await deps.announce(), undoId }
    },

    async restore(from) {
      await storage.transact(`restore ${from}`, async (tx) =>
        restoreIn(tx, storage, place.files, await deps.stateIn(tx), from, now()),
      )
      return deps.announce()
    },

    async upstream(named) {
      const places = named === undefined ? deps.search && usualPlaces(deps.search) : await placesIn(named)
      const ours = await deps.state()
      const lists = (await found(places ?? [])).map((one) => compared(one, ours))
      for (const { path } of lists) shown.add(path)
      return lists
    },

    async importUpstream(file, slugs) {
      const list = await shownAgain(file)
      const taken: string[] = []
      const { receipt } = await deps.change(`import ${file}`, async (tx, before) => {
        const next = imported(list, slugs, before)
        taken.push(...next.slugs)
        // An entry without an address waits in the quarantine: there it must stay.
        const whole = next.entries.filter(({ mcpUrl }) => mcpUrl !== '').map(({ slug }) => slug)
        const settled = ({ label }: { readonly label: string }): boolean =>
          next.slugs.some((slug) => sameSlug(slug, label)) && whole.some((slug) => sameSlug(slug, label))
        if (next.slugs.length > 0) writeState(tx, place.files, before, { ...next, settled }, now())
      })
      const undoId = undos.add(receipt)
      return { snapshot: await deps.announce(), imported: taken, undoId }
    },

    async useInstance(file) {
      await place.ready()
      const manifest = file === null ? null : (await shownAgain(file)).path
      // Under the lock, so that nobody reads one list and writes the other; remembered first, so that a crash between the
      // two leaves what the person asked for.
      await deps.choice.choose(manifest)
      await storage.transact('change of the manifest in force', async () => place.use(manifest))
      deps.switched()
      return deps.announce()
    },
  }
}
