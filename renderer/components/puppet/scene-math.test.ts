import { describe, expect, it } from 'vitest'

import { cameraDistance, latheProfile, rotationToScene, shellPoint, toScene } from './scene-math.ts'
import { apply, rotation } from './vectors.ts'
import { isSoftwareRenderer } from './webgl.ts'

describe('frames', () => {
  it('turning and changing the frame may be done in either order', () => {
    const turned = rotation(0.3, -0.5, 0.9)
    const v = [1, 2, 3] as const
    const a = toScene(apply(turned, v))
    const b = apply(rotationToScene(turned), toScene(v))
    a.forEach((value, i) => expect(value).toBeCloseTo(b[i] ?? NaN, 12))
  })
})

describe('shellPoint', () => {
  it.each([
    [
      [1, 0, 0],
      [52, 0, 0],
    ],
    [
      [0, -1, 0],
      [0, -77, 0],
    ],
    [
      [0, 0, 1],
      [0, 0, 56],
    ],
  ] as const)('%j', (direction, expected) => {
    const { point, normal } = shellPoint(direction)
    expected.forEach((value, i) => expect(point[i]).toBeCloseTo(value, 9))
    direction.forEach((value, i) => expect(normal[i]).toBeCloseTo(value, 9))
  })

  it('lies on the superellipsoid', () => {
    const { point } = shellPoint([0.3, 0.5, -0.8])
    const sum = [52, 77, 56].reduce((total, axis, i) => total + Math.abs((point[i] ?? 0) / axis) ** 2.4, 0)
    expect(sum).toBeCloseTo(1, 9)
  })
})

describe('cameraDistance', () => {
  it('is set by the side that is tight', () => {
    const fov = Math.PI / 2
    expect(cameraDistance(fov, 1, 100, 200, 1)).toBeCloseTo(200)
    expect(cameraDistance(fov, 0.25, 100, 200, 1)).toBeCloseTo(400)
    expect(cameraDistance(fov, 1, 100, 200, 0.5)).toBeCloseTo(400)
  })
})

describe('latheProfile', () => {
  it('rises from the foot to the rim through the given points', () => {
    const profile = latheProfile()
    expect(profile[0]).toEqual([53, 9])
    expect(profile.at(-1)).toEqual([72, 158])
    const heights = profile.map(([, z]) => z)
    expect(heights).toEqual([...heights].sort((a, b) => a - b))
  })
})

describe('isSoftwareRenderer', () => {
  it.each([
    ['ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero) (0x0000C0DE)), SwiftShader driver)', true],
    ['llvmpipe (LLVM 15.0.6, 256 bits)', true],
    ['ANGLE (Microsoft, Microsoft Basic Render Driver Direct3D11 vs_5_0 ps_5_0)', true],
    ['ANGLE (Intel, Mesa Intel(R) UHD Graphics 620 (KBL GT2), OpenGL 4.6)', false],
    ['Apple M2', false],
  ])('%s', (name, software) => {
    expect(isSoftwareRenderer(name)).toBe(software)
  })
})
