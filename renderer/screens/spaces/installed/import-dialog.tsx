import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { attempt } from '../../../app/bridge.ts'
import { Badge, Banner, Button, CheckBox, Dialog, FailureBanner, Select, Skeleton } from '../../../components/index.ts'
import { useSpaces } from '../../../stores/spaces.ts'
import { useToasts } from '../../../stores/toasts.ts'
import { tellUndoable } from '../undo.ts'

import type { Failure, UpstreamManifest } from '../../../../electron/contract/index.ts'

const missingIn = (list: UpstreamManifest): ReadonlySet<string> =>
  new Set(list.spaces.filter(({ here }) => here === 'missing').map(({ slug }) => slug))

interface Lists {
  found: readonly UpstreamManifest[] | null
  path: string | null
  chosen: ReadonlySet<string>
  failure: Failure | null
  /** The person named a folder without a list. */
  nothingThere: boolean
}

const START: Lists = { found: null, path: null, chosen: new Set(), failure: null, nothingThere: false }

function useLists() {
  const [lists, setLists] = useState<Lists>(START)
  const take = (list: UpstreamManifest, found: readonly UpstreamManifest[]): void =>
    setLists({ ...START, found, path: list.path, chosen: missingIn(list) })
  useEffect(() => {
    let gone = false
    void attempt('spaces.upstream', {}).then((answer) => {
      if (gone) return
      if (!answer.ok) setLists({ ...START, found: [], failure: answer.error })
      else {
        const { found } = answer.value
        const [first] = found
        if (first) take(first, found)
        else setLists({ ...START, found })
      }
    })
    return () => {
      gone = true
    }
  }, [])
  const chooseFolder = async (): Promise<void> => {
    const answer = await attempt('spaces.chooseUpstream', {})
    if (!answer.ok) setLists((held) => ({ ...held, failure: answer.error }))
    else {
      const { found: list } = answer.value
      if (!list) setLists((held) => ({ ...held, nothingThere: true }))
      else take(list, [list, ...(lists.found ?? []).filter(({ path }) => path !== list.path)])
    }
  }
  return {
    lists,
    chooseFolder,
    show: (path: string): void => {
      const list = lists.found?.find((one) => one.path === path)
      if (list) take(list, lists.found ?? [])
    },
    tick: (slug: string, on: boolean): void =>
      setLists((held) => {
        const chosen = new Set(held.chosen)
        if (on) chosen.add(slug)
        else chosen.delete(slug)
        return { ...held, chosen }
      }),
    fail: (failure: Failure): void => setLists((held) => ({ ...held, failure })),
  }
}

const TONES = { missing: 'accent', same: 'neutral', different: 'warn' } as const

function SpacesOf({
  list,
  chosen,
  tick,
}: {
  list: UpstreamManifest
  chosen: ReadonlySet<string>
  tick: (slug: string, on: boolean) => void
}) {
  const { t } = useTranslation('keep')
  if (list.problem) return <FailureBanner tone="warn" failure={list.problem} />
  if (list.spaces.length === 0) return <p className="text-ink-2">{t('import.empty')}</p>
  return (
    <ul className="rounded-card border border-line">
      {list.spaces.map(({ slug, tools, here }) => (
        <li key={slug} className="flex items-center gap-3 px-3 py-2 not-first:border-t not-first:border-line">
          <CheckBox
            label={t('import.take', { slug })}
            checked={chosen.has(slug)}
            disabled={here === 'same'}
            onChange={(on) => tick(slug, on)}
          />
          <span className="min-w-0 flex-1">
            <span className="block font-medium break-all">{slug}</span>
            <span className="text-small text-ink-3">{t('import.tools', { count: tools })}</span>
          </span>
          <Badge tone={TONES[here]}>{t(`import.here.${here}`)}</Badge>
        </li>
      ))}
    </ul>
  )
}

/** Takes Spaces over from the robot's own app, or works on its list in place. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('keep')
  const { lists, chooseFolder, show, tick, fail } = useLists()
  const [step, setStep] = useState<'choose' | 'in-place'>('choose')
  const [busy, setBusy] = useState(false)
  const { found, path, chosen, failure, nothingThere } = lists
  const list = found?.find((one) => one.path === path)

  const take = async (): Promise<void> => {
    if (!list) return
    setBusy(true)
    const answer = await attempt('spaces.importUpstream', { path: list.path, slugs: [...chosen] })
    setBusy(false)
    if (!answer.ok) {
      fail(answer.error)
      return
    }
    const { snapshot, imported, undoId } = answer.value
    useSpaces.getState().accept(snapshot)
    tellUndoable(t('import.done', { count: imported.length }), undoId)
    onClose()
  }
  const workOnIt = async (): Promise<void> => {
    if (!list) return
    setBusy(true)
    const answer = await attempt('spaces.useInstance', { path: list.path })
    setBusy(false)
    if (!answer.ok) {
      fail(answer.error)
      return
    }
    useSpaces.getState().accept(answer.value)
    useToasts.getState().show({ text: t('import.nowInPlace', { path: list.path }) })
    onClose()
  }

  if (step === 'in-place' && list) {
    return (
      <Dialog
        open
        title={t('import.inPlaceTitle')}
        description={t('import.inPlaceText')}
        locked={busy}
        onClose={onClose}
        foot={
          <>
            <Button disabled={busy} onClick={() => setStep('choose')}>
              {t('import.goBack')}
            </Button>
            <Button variant="primary" busy={busy} onClick={() => void workOnIt()}>
              {t('import.inPlaceButton')}
            </Button>
          </>
        }
      >
        {failure && <FailureBanner failure={failure} className="mb-3" />}
        <p className="mono break-all text-ink-2">{list.path}</p>
      </Dialog>
    )
  }
  return (
    <Dialog
      open
      title={t('import.title')}
      description={t('import.text')}
      locked={busy}
      onClose={onClose}
      footLead={
        list &&
        !list.problem && (
          <Button variant="quiet" className="-ml-3" onClick={() => setStep('in-place')}>
            {t('import.inPlace')}
          </Button>
        )
      }
      foot={
        <>
          <Button disabled={busy} onClick={onClose}>
            {t('cancel', { ns: 'common' })}
          </Button>
          <Button variant="primary" busy={busy} disabled={chosen.size === 0} onClick={() => void take()}>
            {chosen.size === 0 ? t('import.none') : t('import.button', { count: chosen.size })}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {failure && <FailureBanner failure={failure} />}
        {found === null && (
          <p role="status" className="text-ink-2">
            {t('import.looking')}
            <Skeleton className="mt-2 h-12" />
          </p>
        )}
        {found?.length === 0 && !failure && <Banner>{t('import.nothing')}</Banner>}
        {nothingThere && <Banner tone="warn">{t('import.nothingThere')}</Banner>}
        <div className="flex flex-wrap items-center gap-2">
          {list && found && found.length > 1 && (
            <Select
              label={t('import.found')}
              value={list.path}
              onChange={show}
              options={found.map((one) => ({ value: one.path, label: one.path }))}
              className="min-w-0 flex-1"
            />
          )}
          {list && found?.length === 1 && <p className="mono min-w-0 flex-1 break-all text-ink-2">{list.path}</p>}
          <Button onClick={() => void chooseFolder()}>{t('import.choose')}</Button>
        </div>
        {list && <SpacesOf list={list} chosen={chosen} tick={tick} />}
      </div>
    </Dialog>
  )
}
