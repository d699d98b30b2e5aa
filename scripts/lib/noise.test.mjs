import { expect, it } from 'vitest'

import { createNoiseFilter, isNoise } from './noise.mjs'

it.each([
  ['[77:1130/101112.131415:ERROR:bus.cc(407)] Failed to connect to the bus: Could not parse server address', true],
  ['[77:1130/101112.131415:ERROR:dbus/bus.cc:408] Failed to connect to the bus: no such file', true],
  ['[91:1130/101112.1:ERROR:viz_main_impl.cc(196)] Exiting GPU process due to errors during initialization', true],
  ['[77:1130/1.1:ERROR:command_buffer_proxy_impl.cc(127)] Failed to send GpuControl.CreateCommandBuffer.', true],
  ['[77:1130/1.1:ERROR:x.cc(131)] ContextResult::kTransientFailure: Failed to send GpuControl.Flush.', true],
  ['[77:1130/1.1:ERROR:x.cc(131)] ContextResult::kFatalFailure: the shared image is gone', false],
  ['[77:1130/1.1:ERROR:ozone_platform_x11.cc(239)] Missing X server or $DISPLAY', false],
  ['warning the robot said: Failed to connect to the bus', false],
  ['', false],
])('%s: %s', (line, expected) => {
  expect(isNoise(line)).toBe(expected)
})

it('passes on every other byte, however it is cut', () => {
  const noise = '[1:1130/1.1:ERROR:bus.cc(407)] Failed to connect to the bus: ü\n'
  const input = Buffer.from(`one ü\n${noise}\n${noise}two\r\n${noise}last`)
  for (const size of [1, 3, 50, input.length]) {
    const passed = []
    const filter = createNoiseFilter((bytes) => passed.push(Buffer.from(bytes)))
    for (let at = 0; at < input.length; at += size) filter.push(input.subarray(at, at + size))
    filter.end()
    filter.end()
    expect(Buffer.concat(passed).toString()).toBe('one ü\n\ntwo\r\nlast')
  }
})
