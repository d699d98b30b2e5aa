import { Canvas, useThree } from '@react-three/fiber'
import { useEffect, useState } from 'react'

import { placePuppet } from './model.ts'
import { cameraDistance, toScene } from './scene-math.ts'
import { Antennas, Body, Floor, Head, Rod } from './scene-parts.tsx'
import { useSceneColours } from './use-scene-colours.ts'

import type { PuppetPose } from './model.ts'
import type { ReactNode } from 'react'
import type { PerspectiveCamera } from 'three'

export interface Puppet3DProps {
  pose: PuppetPose
  limp: boolean
  /** Shown until the first picture is there, and again when the graphics card is lost. */
  fallback: ReactNode
}

const FOV = 18
const ELEVATION = (14 * Math.PI) / 180
/** The figure with its dial and raised antennas, millimetres around its middle. */
const FIGURE = { middle: 172, halfWidth: 119, halfHeight: 204 }

/** Puts the camera in front and above, as far away as the stage needs. */
function Camera() {
  const camera = useThree((state) => state.camera) as PerspectiveCamera
  const { width, height } = useThree((state) => state.size)
  const invalidate = useThree((state) => state.invalidate)
  useEffect(() => {
    const aspect = width / Math.max(1, height)
    const distance = cameraDistance((FOV * Math.PI) / 180, aspect, FIGURE.halfWidth, FIGURE.halfHeight, 1)
    camera.aspect = aspect
    camera.position.set(0, FIGURE.middle + distance * Math.sin(ELEVATION), distance * Math.cos(ELEVATION))
    camera.lookAt(0, FIGURE.middle, 0)
    camera.updateProjectionMatrix()
    invalidate()
  }, [camera, width, height, invalidate])
  return null
}

function Robot({ pose, limp }: { pose: PuppetPose; limp: boolean }) {
  const colours = useSceneColours()
  const model = placePuppet(pose)
  const lamp = limp ? colours.foot : colours.accent
  return (
    <>
      <hemisphereLight args={['#ffffff', colours.shade, 2.1]} />
      <directionalLight position={[-220, 420, 380]} intensity={1.7} />
      <directionalLight position={[300, 120, 200]} intensity={0.35} />
      <Floor model={model} colours={colours} />
      <Body model={model} colours={colours} lamp={lamp} />
      {model.rods.map((segment, i) => (
        <Rod key={i} segment={segment} radius={1.5} colour={colours.rod} />
      ))}
      <mesh position={toScene(model.platform)}>
        <cylinderGeometry args={[44, 44, 5, 48]} />
        <meshStandardMaterial color={colours.joint} roughness={0.8} />
      </mesh>
      <Head model={model} colours={colours} limp={limp} />
      <Antennas model={model} colours={colours} lamp={lamp} />
    </>
  )
}

/** The robot in 3D, from primitives. Draws only when its pose, the theme or the size changes. */
export function Puppet3D({ pose, limp, fallback }: Puppet3DProps) {
  const [state, setState] = useState<'starting' | 'drawing' | 'lost'>('starting')
  if (state === 'lost') return fallback
  return (
    <>
      {state === 'starting' && <div className="absolute inset-0">{fallback}</div>}
      <Canvas
        aria-hidden="true"
        frameloop="demand"
        flat
        dpr={[1, 2]}
        camera={{ fov: FOV, near: 100, far: 4_000 }}
        gl={{ antialias: true, alpha: true, powerPreference: 'low-power' }}
        onCreated={({ gl }) => {
          gl.domElement.addEventListener('webglcontextlost', () => setState('lost'), { once: true })
          requestAnimationFrame(() => setState('drawing'))
        }}
      >
        <Camera />
        <Robot pose={pose} limp={limp} />
      </Canvas>
    </>
  )
}
