import { describe, expect, it } from 'vitest'

import { shortenMiddle } from './shorten.ts'

describe('shortenMiddle', () => {
  it.each([
    ['camera', 20, 'camera'],
    ['exactly_11_', 11, 'exactly_11_'],
    ['pollen_robotics_reachy_mini_weather_tool__get_weather', 30, 'pollen_robotics_…__get_weather'],
    // The own name does not fit beside its origin: both ends are kept.
    ['space__a_very_long_tool_name_that_goes_on_and_on', 21, 'space__a_v…_on_and_on'],
    ['abcdefghijklmnop', 7, 'abc…nop'],
    // Characters outside the basic plane are not cut in half.
    ['😀😁😂😃😄😅', 5, '😀😁…😄😅'],
  ])('%s in %i characters', (id, max, expected) => {
    expect(shortenMiddle(id, max)).toBe(expected)
  })
})
