import { DndContext, KeyboardSensor, PointerSensor, closestCenter, useSensor, useSensors } from '@dnd-kit/core'
import { SortableContext, sortableKeyboardCoordinates, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { GripVertical } from 'lucide-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { SourceGlyph, cx } from '../../../components/index.ts'
import { useDrafts } from '../draft-store.ts'

import { dropped } from './order.ts'

import type { ToolEntry } from '../../../../electron/contract/index.ts'
import type { Announcements, DragEndEvent, ScreenReaderInstructions, UniqueIdentifier } from '@dnd-kit/core'

/** Pixels that the pointer moves before a press is a drag. */
const DRAG_FROM = 4

function Row({ id, tool, at }: { id: string; tool: ToolEntry | undefined; at: number }) {
  const { t } = useTranslation('local')
  const sortable = useSortable({ id, attributes: { roleDescription: t('order.role') } })
  const { transform, transition, isDragging } = sortable
  return (
    <li
      ref={sortable.setNodeRef}
      // Set as properties of the element, which the page's policy allows.
      style={{
        transform: transform ? `translate3d(0, ${Math.round(transform.y)}px, 0)` : undefined,
        transition: transition ?? undefined,
      }}
      className={cx(
        'relative flex min-h-9.5 items-center gap-2 border-t border-line pr-1 pl-1 first:border-t-0',
        isDragging && 'z-10 rounded-control border-transparent bg-raised shadow-overlay',
      )}
    >
      <button
        ref={sortable.setActivatorNodeRef}
        type="button"
        {...sortable.attributes}
        {...sortable.listeners}
        aria-label={t('order.move', { id })}
        className="grid size-7 shrink-0 cursor-grab touch-none place-items-center rounded-control text-ink-3 hover:bg-hover hover:text-ink active:cursor-grabbing"
      >
        <GripVertical aria-hidden="true" className="size-4" />
      </button>
      <span className="w-5 shrink-0 text-right text-small text-ink-3">{at}</span>
      {tool && <SourceGlyph source={tool.source} size="s" />}
      <span title={id} className={cx('mono min-w-0 flex-1 truncate', !tool && 'text-ink-3')}>
        {tool?.shortName ?? id}
      </span>
    </li>
  )
}

function useWords(ids: readonly string[]): { announcements: Announcements; instructions: ScreenReaderInstructions } {
  const { t } = useTranslation('local')
  /** A line that was just picked up is over its own place, which was said. */
  const moved = useRef(false)
  const all = ids.length
  const at = (id: UniqueIdentifier | undefined): number => ids.indexOf(String(id)) + 1
  return {
    instructions: { draggable: t('order.how') },
    announcements: {
      onDragStart: ({ active }) => {
        moved.current = false
        return t('order.picked', { id: active.id, at: at(active.id), all })
      },
      onDragOver: ({ active, over }) => {
        moved.current ||= over !== null && over.id !== active.id
        return over && moved.current ? t('order.over', { id: active.id, at: at(over.id), all }) : undefined
      },
      onDragEnd: ({ active, over }) => t('order.dropped', { id: active.id, at: at((over ?? active).id), all }),
      onDragCancel: ({ active }) => t('order.cancelled', { id: active.id, at: at(active.id) }),
    },
  }
}

export interface OrderListProps {
  profile: string
  /** IDs of tools.txt, in its order. */
  ids: readonly string[]
  tools: ReadonlyMap<string, ToolEntry>
}

/** The listed tools in the order of tools.txt, to be dragged by pointer or keyboard. Lines move with the comments above them. */
export function OrderList({ profile, ids, tools }: OrderListProps) {
  const { t } = useTranslation('local')
  const { announcements, instructions } = useWords(ids)
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: DRAG_FROM } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const drop = ({ active, over }: DragEndEvent): void => {
    const id = String(active.id)
    const change = over ? dropped(ids, id, String(over.id)) : null
    if (change) useDrafts.getState().move(profile, id, change.before)
  }
  if (ids.length === 0) return <p className="text-ink-2">{t('order.none')}</p>
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={{ announcements, screenReaderInstructions: instructions }}
      onDragEnd={drop}
    >
      <SortableContext items={[...ids]} strategy={verticalListSortingStrategy}>
        <ol aria-label={t('order.label')}>
          {ids.map((id, k) => (
            <Row key={id} id={id} tool={tools.get(id)} at={k + 1} />
          ))}
        </ol>
      </SortableContext>
    </DndContext>
  )
}
