import type { PuppetPose } from './model.ts'
import type { ReactNode } from 'react'

export interface Puppet3DProps {
  pose: PuppetPose
  limp: boolean
  fallback: ReactNode
}

export function Puppet3D({ fallback }: Puppet3DProps) {
  return fallback
}
