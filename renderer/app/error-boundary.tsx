import { Component } from 'react'
import { useTranslation } from 'react-i18next'

import { Button, EmptyState } from '../components/index.ts'

import type { ReactNode } from 'react'

function Crashed({ error }: { error: Error }) {
  const { t } = useTranslation('common')
  return (
    <div role="alert">
      <EmptyState
        title={t('crash.title')}
        actions={
          <Button variant="primary" onClick={() => window.location.reload()}>
            {t('crash.reload')}
          </Button>
        }
      >
        <p>{t('crash.text')}</p>
        <details className="mt-3 text-left text-small text-ink-3">
          <summary>{t('crash.details')}</summary>
          <p className="mono mt-1 wrap-anywhere">{error.message}</p>
        </details>
      </EmptyState>
    </div>
  )
}

interface BoundaryState {
  error: Error | null
}

/** Shows an error of what is below in its place, so that the rest, the robot panel above all, goes on. */
export class ErrorBoundary extends Component<{ children: ReactNode }, BoundaryState> {
  override readonly state: BoundaryState = { error: null }

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override render(): ReactNode {
    return this.state.error ? <Crashed error={this.state.error} /> : this.props.children
  }
}
