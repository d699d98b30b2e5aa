import { lazy, Suspense, useEffect, useState } from 'react'

import { LayerProvider } from '../components/layer.tsx'
import { ToastRegion } from '../components/toast.tsx'
import { TooltipProvider } from '../components/tooltip.tsx'
import { Rail } from '../frame/rail.tsx'
import { RobotPanel } from '../frame/robot-panel.tsx'
import { useDeepLinks } from '../frame/use-links.ts'
import { useShortcuts } from '../frame/use-shortcuts.ts'
import { useDialogs } from '../stores/dialogs.ts'
import { useNavigation } from '../stores/navigation.ts'
import { useReview } from '../stores/review.ts'
import { useSettings } from '../stores/settings.ts'

import { ErrorBoundary } from './error-boundary.tsx'
import { switchLanguage } from './i18n.ts'
import { SCREENS } from './screens.ts'
import { applyTheme } from './theme.ts'

import type { ScreenName } from '../stores/navigation.ts'
import type { ComponentType, LazyExoticComponent } from 'react'

const LAZY: Record<ScreenName, LazyExoticComponent<ComponentType>> = {
  chat: lazy(SCREENS.chat),
  spaces: lazy(SCREENS.spaces),
  profiles: lazy(SCREENS.profiles),
  robot: lazy(SCREENS.robot),
  settings: lazy(SCREENS.settings),
}

/** Can be asked for on several screens; its part of the bundle is read when it first is. */
const ReviewDialog = lazy(async () => ({
  default: (await import('../screens/spaces/review/review-dialog.tsx')).ReviewDialog,
}))

/** Follows the two settings that change the whole window. */
function useAppearance(): void {
  const language = useSettings((store) => store.snapshot?.language)
  const theme = useSettings((store) => store.snapshot?.settings.theme)
  useEffect(() => {
    if (language) void switchLanguage(language)
  }, [language])
  useEffect(() => {
    if (theme) applyTheme(theme)
  }, [theme])
}

/** The window: rail, sheet, robot panel; dialogs, menus and toasts lie over the first two only. */
export function App() {
  useAppearance()
  useShortcuts()
  useDeepLinks()
  const [layer, setLayer] = useState<HTMLElement | null>(null)
  const screen = useNavigation((store) => store.screen)
  const behind = useDialogs((store) => store.open > 0)
  const reviewing = useReview((store) => store.slug !== null)
  const Screen = LAZY[screen]

  return (
    <LayerProvider value={layer}>
      <TooltipProvider>
        <div className="relative grid h-full min-h-0 grid-cols-[var(--size-rail)_minmax(0,1fr)_var(--size-panel)]">
          <Rail inert={behind} />
          <main
            data-region="sheet"
            inert={behind}
            className="relative my-2 flex min-h-0 min-w-0 flex-col overflow-hidden rounded-sheet border border-line bg-sheet shadow-sheet"
          >
            <ErrorBoundary key={screen}>
              <Suspense fallback={null}>
                <Screen />
              </Suspense>
            </ErrorBoundary>
          </main>
          <div
            ref={setLayer}
            data-region="layer"
            className="pointer-events-none fixed inset-y-0 right-(--size-panel) left-0 z-10 *:pointer-events-auto"
          />
          <ErrorBoundary>
            <Suspense fallback={null}>{reviewing && <ReviewDialog />}</Suspense>
          </ErrorBoundary>
          <div className="pointer-events-none fixed inset-y-0 right-(--size-panel) left-0 z-20">
            <ToastRegion />
          </div>
          <ErrorBoundary>
            <RobotPanel />
          </ErrorBoundary>
        </div>
      </TooltipProvider>
    </LayerProvider>
  )
}
