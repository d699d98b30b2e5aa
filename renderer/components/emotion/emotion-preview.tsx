import { Eye, Pause, Play, Square, Volume2 } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { attempt } from '../../app/bridge.ts'
import { failureText } from '../../app/failure-text.ts'
import { formatSeconds, wholeDegrees } from '../../app/format.ts'
import { useMoves } from '../../stores/moves.ts'
import { AmplitudeBadge } from '../amplitude-badge.tsx'
import { Button } from '../button.tsx'
import { cx } from '../cx.ts'
import { Spinner } from '../feedback.tsx'
import { ghostOf, tipsOf, trailPath } from '../puppet/drawing.ts'
import { Puppet2D } from '../puppet/puppet-2d.tsx'

import { MovePlot, PlotLegend } from './move-plot.tsx'
import { keyTime, poseAt, sampleCurves } from './trajectory.ts'
import { usePlayback } from './use-playback.ts'

import type { Failure, MoveInfo, Trajectory } from '../../../electron/contract/index.ts'
import type { PuppetView } from '../puppet/puppet-2d.tsx'
import type { Playback } from './use-playback.ts'
import type { ReactNode } from 'react'

/** How long the tips of the antennas leave a trail, seconds. */
const TRAIL = 0.6
const GHOST = 0.3

/** The two trails in three ages, and the ghost of the head, at a moment of a move. */
function echoes(trajectory: Trajectory, time: number): { trails: string[]; ghost: string | undefined } {
  if (time <= 0) return { trails: [], ghost: undefined }
  const age = (i: number): string => {
    const times = Array.from({ length: 5 }, (_, k) => time - TRAIL + (TRAIL / 3) * (i + k / 4)).filter((s) => s >= 0)
    const tips = times.map((s) => tipsOf(poseAt(trajectory, s)))
    return trailPath(tips.map(([right]) => right)) + trailPath(tips.map(([, left]) => left))
  }
  return { trails: [age(0), age(1), age(2)], ghost: ghostOf(poseAt(trajectory, Math.max(0, time - GHOST))) }
}

interface PreviewStageProps {
  trajectory: Trajectory | null
  playback: Playback
  view: PuppetView
}

function PreviewStage({ trajectory, playback, view }: PreviewStageProps) {
  const still = playback.time === null
  const echo = trajectory ? echoes(trajectory, playback.time ?? keyTime(trajectory)) : null
  // Where the move stands still, a ghost on top of the head itself says nothing.
  return (
    <Puppet2D
      pose={playback.pose}
      view={view}
      {...(echo && (playback.playing || playback.onRobot || still) ? { trails: echo.trails, ghost: echo.ghost } : {})}
    />
  )
}

interface RobotPlay {
  busy: boolean
  failure: Failure | null
  play: () => Promise<void>
  stop: () => Promise<void>
}

function useRobotPlay(move: string): RobotPlay {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const ask = async (work: () => ReturnType<typeof attempt<'robot.play' | 'robot.stop'>>): Promise<void> => {
    setBusy(true)
    const answer = await work()
    setBusy(false)
    setFailure(answer.ok ? null : answer.error)
  }
  return {
    busy,
    failure,
    play: () => ask(() => attempt('robot.play', { move })),
    stop: () => ask(() => attempt('robot.stop', {})),
  }
}

function PreviewFailure({ failure }: { failure: Failure }) {
  const { t } = useTranslation()
  const { message, hint } = failureText(t, failure)
  return (
    <p role="alert" className="text-small text-pretty text-danger">
      {message} {hint}
    </p>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-2">
      <dt className="text-ink-3">{name}</dt>
      <dd className="font-medium">{children}</dd>
    </div>
  )
}

function Facts({ info, clamped }: { info: MoveInfo; clamped: boolean }) {
  const { t, i18n } = useTranslation('robot')
  return (
    <>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-1 border-t border-line pt-2 text-small">
        <Fact name={t('length')}>{formatSeconds(i18n.language, info.duration)}</Fact>
        <Fact name={t('size')}>
          <AmplitudeBadge amplitude={info.amplitude} />
        </Fact>
        <Fact name={t('largest')}>{wholeDegrees(info.amplitude.maxAngle)}°</Fact>
        <Fact name={t('fastest')}>{t('degreesPerSecond', { value: wholeDegrees(info.amplitude.maxSpeed) })}</Fact>
      </dl>
      {(info.hasSound || clamped) && (
        <p className="flex items-center gap-1.5 text-small text-ink-3">
          {info.hasSound && <Volume2 aria-hidden="true" className="size-3.5" />}
          {[info.hasSound && t('withSound'), clamped && t('clamped')].filter(Boolean).join(', ')}
        </p>
      )}
    </>
  )
}

export interface EmotionPreviewProps {
  /** Name of an emotion or a dance. */
  move: string
  /** One row for a card: small picture, plot, and one button. */
  compact?: boolean | undefined
  /** Plays on screen as soon as it can, and again when `move` changes. */
  autoPlay?: boolean | undefined
}

/**
 * What a move looks like: the robot's real trajectory, played on screen. When the robot plays the same move, picture
 * and needle follow the robot. Brings its own buttons; the region or group around it is the caller's.
 */
export function EmotionPreview({ move, compact = false, autoPlay = false }: EmotionPreviewProps) {
  const trajectory = useMoves((store) => store.trajectories[move] ?? null)
  const failure = useMoves((store) => store.failures[move] ?? null)
  const info = useMoves((store) => store.moves?.find((candidate) => candidate.name === move) ?? null)
  const known = useMoves((store) => store.moves !== null)
  const { load, loadTrajectory } = useMoves.getState()

  useEffect(() => {
    void loadTrajectory(move)
  }, [loadTrajectory, move])
  useEffect(() => {
    if (!known) void load()
  }, [load, known])

  const playback = usePlayback(trajectory, move, autoPlay)
  const onRobot = useRobotPlay(move)
  const curves = useMemo(() => trajectory && sampleCurves(trajectory, compact ? 80 : 110), [trajectory, compact])
  const shown: PartProps = { move, trajectory, info, playback, onRobot, curves, failure: onRobot.failure ?? failure }
  return compact ? <Compact {...shown} /> : <Full {...shown} />
}

interface PartProps {
  move: string
  trajectory: Trajectory | null
  info: MoveInfo | null
  playback: Playback
  onRobot: RobotPlay
  curves: ReturnType<typeof sampleCurves> | null
  failure: Failure | null
}

/** In narrow windows the words need the room of the icons. */
const TIGHT = 'narrow:px-2 narrow:[&_svg]:hidden'

function Full({ move, trajectory, info, playback, onRobot, curves, failure }: PartProps) {
  const { t } = useTranslation('robot')
  return (
    <div className="flex min-h-0 flex-col">
      <p className="flex min-h-10 shrink-0 items-center gap-1.5 px-4 text-small text-ink-2">
        {playback.onRobot ? (
          <Play aria-hidden="true" className="size-3.5 fill-current text-accent-ink" />
        ) : (
          <Eye aria-hidden="true" className="size-4" />
        )}
        {t(playback.onRobot ? 'playingNote' : 'previewNote')}
      </p>
      <div className="h-50 shrink-0 overflow-hidden border-y border-line bg-sunken short:h-34">
        <PreviewStage trajectory={trajectory} playback={playback} view="bust" />
      </div>
      <div
        role="group"
        aria-label={move}
        tabIndex={0}
        className="scroll-quiet grid min-h-0 auto-rows-max content-start gap-2 overflow-y-auto px-4 pt-2.5 pb-3"
      >
        <h2 className="text-heading font-strong wrap-anywhere">{move}</h2>
        {info?.description && <p className="text-small text-pretty text-ink-2">{info.description}</p>}
        {failure && <PreviewFailure failure={failure} />}
        {trajectory && curves && (
          <>
            <MovePlot name={move} curves={curves} duration={trajectory.duration} time={playback.time} />
            <PlotLegend />
          </>
        )}
        {info && <Facts info={info} clamped={trajectory?.clamped ?? false} />}
      </div>
      <div className="flex shrink-0 flex-wrap gap-2 px-4 pt-1 pb-4">
        {playback.onRobot ? (
          <Button
            className="flex-1"
            icon={<Square aria-hidden="true" className="fill-current" />}
            onClick={() => void onRobot.stop()}
          >
            {t('stopMotion')}
          </Button>
        ) : (
          <>
            <Button
              className={TIGHT}
              disabled={!trajectory}
              icon={
                playback.playing ? (
                  <Pause aria-hidden="true" className="fill-current" strokeWidth={0} />
                ) : (
                  <Eye aria-hidden="true" />
                )
              }
              onClick={playback.playing ? playback.pause : playback.play}
            >
              {t(playback.playing ? 'pause' : 'replay')}
            </Button>
            <Button
              variant="primary"
              className={cx('flex-1', TIGHT)}
              disabled={!trajectory}
              busy={onRobot.busy}
              icon={<Play aria-hidden="true" className="fill-current" />}
              onClick={() => {
                playback.play()
                void onRobot.play()
              }}
            >
              {t('playOnRobot')}
            </Button>
          </>
        )}
      </div>
    </div>
  )
}

function Compact({ move, trajectory, info, playback, onRobot, curves, failure }: PartProps) {
  const { t, i18n } = useTranslation('robot')
  return (
    <div className="grid min-h-36 grid-cols-[10rem_minmax(0,1fr)] narrow:grid-cols-[8.5rem_minmax(0,1fr)]">
      <div className="overflow-hidden border-r border-line bg-sunken">
        <PreviewStage trajectory={trajectory} playback={playback} view="bust" />
      </div>
      <div className="grid min-w-0 content-between gap-1 px-3 py-2">
        {failure && <PreviewFailure failure={failure} />}
        {trajectory && curves ? (
          <MovePlot compact name={move} curves={curves} duration={trajectory.duration} time={playback.time} />
        ) : (
          !failure && <Spinner className="m-auto" />
        )}
        <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1 text-small text-ink-3">
          {info && <AmplitudeBadge amplitude={info.amplitude} />}
          {info && <span>{formatSeconds(i18n.language, info.duration)}</span>}
          <span className="ml-auto" />
          {playback.onRobot ? (
            <Button
              size="s"
              icon={<Square aria-hidden="true" className="fill-current" />}
              onClick={() => void onRobot.stop()}
            >
              {t('stopMotion')}
            </Button>
          ) : (
            <Button
              size="s"
              variant="quiet"
              disabled={!trajectory}
              icon={
                playback.playing ? (
                  <Pause aria-hidden="true" className="fill-current" strokeWidth={0} />
                ) : (
                  <Eye aria-hidden="true" />
                )
              }
              onClick={playback.playing ? playback.pause : playback.play}
            >
              {t(playback.playing ? 'pause' : 'replay')}
            </Button>
          )}
        </div>
      </div>
    </div>
  )
}
