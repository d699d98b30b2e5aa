import { describe, expect, it } from 'vitest'

import { toggledFilters } from './catalogue-store.ts'

describe('toggledFilters', () => {
  it.each([
    [['reachy-mini'], 'mcp', true, ['mcp']],
    [['mcp', 'running'], 'reachy-mini', true, ['reachy-mini', 'running']],
    [['reachy-mini'], 'official', true, ['reachy-mini', 'official']],
    [['reachy-mini', 'official'], 'official', false, ['reachy-mini']],
    [['reachy-mini'], 'reachy-mini', false, ['mcp']],
    [['official', 'mcp'], 'mcp', false, ['reachy-mini', 'official']],
    [['mcp', 'running'], 'tagged-mcp', true, ['tagged-mcp', 'running']],
    [['tagged-mcp'], 'tagged-mcp', false, ['mcp']],
  ] as const)('%j, %s %s → %j', (held, filter, on, expected) => {
    expect(toggledFilters(held, filter, on)).toEqual(expected)
  })
})
