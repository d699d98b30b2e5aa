import { memo, useEffect, useMemo } from 'react'
import {
  BackSide,
  CanvasTexture,
  DoubleSide,
  LatheGeometry,
  Matrix4,
  Quaternion,
  SphereGeometry,
  Vector2,
  Vector3,
} from 'three'

import { bodyRadius } from './drawing.ts'
import { EYES, HEAD } from './model.ts'
import { latheProfile, rotationToScene, shellPoint, toScene } from './scene-math.ts'

import type { PuppetModel, Segment } from './model.ts'
import type { SceneColours } from './use-scene-colours.ts'
import type { Vec3 } from './vectors.ts'
import type { BufferGeometry } from 'three'

const UP = new Vector3(0, 1, 0)

/** Gives the graphics memory of a geometry back when its part goes. */
function useGeometry<G extends BufferGeometry>(make: () => G): G {
  // eslint-disable-next-line react-hooks/exhaustive-deps -- made once: none of these shapes depends on the pose
  const geometry = useMemo(make, [])
  useEffect(() => () => geometry.dispose(), [geometry])
  return geometry
}

function makeShell(): SphereGeometry {
  const geometry = new SphereGeometry(1, 72, 48)
  const position = geometry.getAttribute('position')
  const normals = geometry.getAttribute('normal')
  for (let i = 0; i < position.count; i += 1) {
    const direction: Vec3 = [position.getZ(i), position.getX(i), position.getY(i)]
    const { point, normal } = shellPoint(direction)
    position.setXYZ(i, ...toScene(point))
    normals.setXYZ(i, ...toScene(normal))
  }
  return geometry
}

/** A rod between two points. */
export function Rod({ segment, radius, colour }: { segment: Segment; radius: number; colour: string }) {
  const from = new Vector3(...toScene(segment.from))
  const to = new Vector3(...toScene(segment.to))
  const along = to.clone().sub(from)
  const turned = new Quaternion().setFromUnitVectors(UP, along.clone().normalize())
  return (
    <mesh position={from.add(to).multiplyScalar(0.5)} quaternion={turned} scale={[radius, along.length(), radius]}>
      <cylinderGeometry args={[1, 1, 1, 16]} />
      <meshStandardMaterial color={colour} roughness={0.5} />
    </mesh>
  )
}

function Eye({ eye, colours, limp }: { eye: (typeof EYES)[number]; colours: SceneColours; limp: boolean }) {
  const { y, z, radius: r, outward } = eye
  const turned = (11 * Math.PI * outward) / 180
  const front = 0.94 * HEAD.axes[0]
  const [sceneX, sceneY] = [y - HEAD.centre[1], z - HEAD.centre[2]]
  return (
    <group position={[sceneX, sceneY, front]} rotation={[0, turned, 0]}>
      <mesh rotation={[Math.PI / 2, 0, 0]} position={[0, 0, -3]}>
        <cylinderGeometry args={[r + 3.5, r + 5, 9, 48]} />
        <meshStandardMaterial color={colours.shade} roughness={0.5} />
      </mesh>
      <mesh scale={[r, r, r * 0.34]} position={[0, 0, 1]}>
        <sphereGeometry args={[1, 48, 24, 0, Math.PI * 2, 0, Math.PI]} />
        <meshPhysicalMaterial color={colours.eye} roughness={0.12} clearcoat={1} clearcoatRoughness={0.08} />
      </mesh>
      <mesh position={[0, 0, r * 0.34 + 1]}>
        <circleGeometry args={[r * 0.56, 40]} />
        <meshBasicMaterial color={colours.iris} transparent opacity={0.75} />
      </mesh>
      <mesh position={[r * -0.3, r * 0.34, r * 0.34 + 1.6]}>
        <circleGeometry args={[r * 0.17, 24]} />
        <meshBasicMaterial color={colours.glint} transparent opacity={limp ? 0.25 : 1} />
      </mesh>
    </group>
  )
}

/** Head shell with its eyes, in the head's own frame. */
export function Head({ model, colours, limp }: { model: PuppetModel; colours: SceneColours; limp: boolean }) {
  const shell = useGeometry(makeShell)
  const [a, b, c] = rotationToScene(model.rotation)
  const [x, y, z] = toScene(model.headCentre)
  const matrix = new Matrix4().set(...a, x, ...b, y, ...c, z, 0, 0, 0, 1)
  return (
    <group matrixAutoUpdate={false} matrix={matrix} matrixWorldNeedsUpdate>
      <mesh geometry={shell}>
        <meshStandardMaterial color={colours.shell} roughness={0.6} />
      </mesh>
      {EYES.map((eye) => (
        <Eye key={eye.radius} eye={eye} colours={colours} limp={limp} />
      ))}
    </group>
  )
}

/** Antennas with their lamps at the tips. */
export function Antennas({ model, colours, lamp }: { model: PuppetModel; colours: SceneColours; lamp: string }) {
  return model.antennas.map((segment, i) => (
    <group key={i}>
      <Rod segment={segment} radius={1.7} colour={colours.antenna} />
      <mesh position={toScene(segment.to)}>
        <sphereGeometry args={[6.5, 24, 16]} />
        <meshStandardMaterial color={lamp} roughness={0.45} />
      </mesh>
    </group>
  ))
}

function makeBody(): LatheGeometry {
  return new LatheGeometry(
    latheProfile().map(([r, z]) => new Vector2(r, z)),
    72,
  )
}

/** The turned body with its open rim, its index and its five holes. */
export function Body({ model, colours, lamp }: { model: PuppetModel; colours: SceneColours; lamp: string }) {
  const lathe = useGeometry(makeBody)
  return (
    <group rotation={[0, model.bodyYaw, 0]}>
      <mesh geometry={lathe}>
        <meshStandardMaterial color={colours.shell} roughness={0.6} />
      </mesh>
      <mesh geometry={lathe} scale={[0.985, 1, 0.985]}>
        <meshStandardMaterial color={colours.joint} roughness={0.9} side={BackSide} />
      </mesh>
      {[0, 1, 2, 3, 4].map((i) => {
        const from: Vec3 = [bodyRadius(12 + i * 5) + 0.4, 0, 12 + i * 5]
        const to: Vec3 = [bodyRadius(17 + i * 5) + 0.4, 0, 17 + i * 5]
        return <Rod key={i} segment={{ from, to }} radius={1.4} colour={lamp} />
      })}
      {[-2, -1, 0, 1, 2].map((i) => {
        const angle = (i * 6.2 * Math.PI) / 180
        const r = bodyRadius(92) + 0.2
        return (
          <mesh key={i} position={[r * Math.sin(angle), 92, r * Math.cos(angle)]} rotation={[0, angle, 0]}>
            <circleGeometry args={[1.7, 16]} />
            <meshBasicMaterial color={colours.ink3} />
          </mesh>
        )
      })}
    </group>
  )
}

function makeShadow(): CanvasTexture {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 128
  const context = canvas.getContext('2d')
  if (context) {
    const gradient = context.createRadialGradient(64, 64, 34, 64, 64, 64)
    gradient.addColorStop(0, 'rgb(0 0 0 / 0.5)')
    gradient.addColorStop(1, 'rgb(0 0 0 / 0)')
    context.fillStyle = gradient
    context.fillRect(0, 0, 128, 128)
  }
  return new CanvasTexture(canvas)
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** A short mark that lies on the floor, pointing away from the robot at an angle from the front. */
function FloorMark({ angle, from, to, width, colour }: FloorMarkProps) {
  return (
    <group rotation={[0, angle, 0]}>
      <mesh position={[0, 0.4, (from + to) / 2]} rotation={[-Math.PI / 2, 0, 0]}>
        <planeGeometry args={[width, to - from]} />
        <meshBasicMaterial color={colour} side={DoubleSide} />
      </mesh>
    </group>
  )
}

interface FloorMarkProps {
  angle: number
  from: number
  to: number
  width: number
  colour: string
}

const TICKS = Array.from({ length: 33 }, (_, i) => i * 10 - 160)

/** Everything on the floor that never moves; drawn again only for a new theme. */
const StillFloor = memo(function StillFloor({ colours }: { colours: SceneColours }) {
  const shadow = useMemo(makeShadow, [])
  useEffect(() => () => shadow.dispose(), [shadow])
  return (
    <group>
      <mesh rotation={[-Math.PI / 2, 0, 0]} position={[0, 0.2, 0]}>
        <circleGeometry args={[96, 48]} />
        <meshBasicMaterial map={shadow} transparent depthWrite={false} />
      </mesh>
      <mesh position={[0, 4, 0]}>
        <cylinderGeometry args={[56, 56, 8, 64]} />
        <meshStandardMaterial color={colours.foot} roughness={0.8} />
      </mesh>
      <mesh rotation={[-Math.PI / 2, 0, radians(-250)]} position={[0, 0.3, 0]}>
        <ringGeometry args={[103.4, 104.6, 128, 1, 0, radians(320)]} />
        <meshBasicMaterial color={colours.line} side={DoubleSide} />
      </mesh>
      {TICKS.map((degree) => {
        const long = degree % 40 === 0
        return (
          <FloorMark
            key={degree}
            angle={radians(degree)}
            from={104}
            to={long ? 114 : 109}
            width={long ? 1.9 : 1.3}
            colour={long ? colours.ink3 : colours.line}
          />
        )
      })}
    </group>
  )
})

/** Foot, dial with its two pointers, and the shadow. */
export function Floor({ model, colours }: { model: PuppetModel; colours: SceneColours }) {
  const [markX, markZ] = [125 * Math.sin(model.headYaw), 125 * Math.cos(model.headYaw)]
  return (
    <>
      <StillFloor colours={colours} />
      <FloorMark angle={model.bodyYaw} from={98} to={119} width={3.6} colour={colours.accent} />
      <mesh position={[markX, 0.4, markZ]} rotation={[-Math.PI / 2, 0, 0]}>
        <circleGeometry args={[3, 20]} />
        <meshBasicMaterial color={colours.ink3} />
      </mesh>
    </>
  )
}
