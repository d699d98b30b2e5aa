export interface Runtime {
  readonly dist: string
  readonly executable: string
  readonly version: string
  readonly kind: 'own' | 'given' | 'stand-in'
}
export function presentRuntime(): Runtime | null
