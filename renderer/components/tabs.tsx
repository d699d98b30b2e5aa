import { Tabs as Radix } from 'radix-ui'

import { cx } from './cx.ts'

import type { ReactNode } from 'react'

export interface TabsProps<V extends string> {
  value: V
  onChange: (value: V) => void
  children: ReactNode
}

/** Around a `TabList` and its `TabPanel`s, wherever they stand. */
export function Tabs<V extends string>({ value, onChange, children }: TabsProps<V>) {
  return (
    <Radix.Root value={value} onValueChange={(next) => onChange(next as V)} className="contents">
      {children}
    </Radix.Root>
  )
}

export interface TabListProps<V extends string> {
  label: string
  tabs: readonly { value: V; label: ReactNode }[]
  className?: string | undefined
}

/** The tabs, as segments in one track. */
export function TabList<V extends string>({ label, tabs, className }: TabListProps<V>) {
  return (
    <Radix.List
      aria-label={label}
      className={cx('inline-flex shrink-0 rounded-[0.625rem] bg-selected p-0.5', className)}
    >
      {tabs.map((tab) => (
        <Radix.Trigger
          key={tab.value}
          value={tab.value}
          className={cx(
            'inline-flex min-h-7 items-center gap-1.5 rounded-control px-3 font-medium whitespace-nowrap text-ink-2',
            'hover:text-ink data-[state=active]:bg-raised data-[state=active]:text-ink data-[state=active]:shadow-raised',
          )}
        >
          {tab.label}
        </Radix.Trigger>
      ))}
    </Radix.List>
  )
}

/** What one tab shows. */
export function TabPanel({ value, className, children }: { value: string; className?: string; children: ReactNode }) {
  return (
    <Radix.Content value={value} className={className}>
      {children}
    </Radix.Content>
  )
}
