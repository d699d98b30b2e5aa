import { createContext, use } from 'react'

const LayerContext = createContext<HTMLElement | null>(null)

/** Gives everything below the element that lies over rail and sheet, never over the robot panel. */
export const LayerProvider = LayerContext.Provider

/** The element that dialogs, menus, tooltips and toasts are drawn in. */
export function useSheetLayer(): HTMLElement | null {
  return use(LayerContext)
}
