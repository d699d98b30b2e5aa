import type { ComponentProps, ReactNode } from 'react'

type IconProps = Omit<ComponentProps<'svg'>, 'viewBox'>

function Icon({ children, ...rest }: IconProps & { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={18}
      height={18}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.6}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      {...rest}
    >
      {children}
    </svg>
  )
}

/** The app's mark: the robot's two unequal eyes. */
export function Mark({ className }: { className?: string | undefined }) {
  return (
    <svg viewBox="0 0 40 28" aria-hidden="true" className={className} fill="var(--color-ink)" overflow="visible">
      <circle cx="14" cy="14" r="10" />
      <circle cx="33" cy="14" r="7" />
      <circle cx="10.8" cy="10.6" r="2.2" fill="var(--color-case)" />
      <circle cx="30.8" cy="11.6" r="1.6" fill="var(--color-case)" />
    </svg>
  )
}

/** The robot, as a place in the rail. */
export function RobotIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <rect x="4" y="9.5" width="16" height="10" rx="4.6" />
      <circle cx="9" cy="14.5" r="1.9" />
      <circle cx="15.2" cy="14.5" r="1.2" />
      <path d="M8.6 9.4 7.3 4M15.4 9.4 16.7 4" />
    </Icon>
  )
}

/** A planet: Spaces and MCP servers. */
export function PlanetIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <circle cx="12" cy="12" r="3.6" />
      <ellipse cx="12" cy="12" rx="9.3" ry="3.7" transform="rotate(-32 12 12)" />
    </Icon>
  )
}

/** The robot's face: its built-in tools. */
export function FaceIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <rect x="3.5" y="6.5" width="17" height="11.5" rx="5" />
      <circle cx="9" cy="12.2" r="2.4" fill="currentColor" stroke="none" />
      <circle cx="15.6" cy="12.2" r="1.5" fill="currentColor" stroke="none" />
    </Icon>
  )
}

/** A file with code: the person's own tools. */
export function CodeFileIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M7 3.8h6.8L18.5 8.5v10a1.7 1.7 0 0 1-1.7 1.7H7a1.7 1.7 0 0 1-1.7-1.7v-13A1.7 1.7 0 0 1 7 3.8z" />
      <path d="M13.5 4v4.8h4.8M10.3 12l-2 2 2 2M13.5 12l2 2-2 2" />
    </Icon>
  )
}

/** A speech bubble: the conversation. */
export function ChatIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M4.5 6.8a2.3 2.3 0 0 1 2.3-2.3h10.4a2.3 2.3 0 0 1 2.3 2.3v7a2.3 2.3 0 0 1-2.3 2.3h-5.4L7.6 19.6v-3.5h-.8a2.3 2.3 0 0 1-2.3-2.3z" />
    </Icon>
  )
}

/** Three sliders: profiles. */
export function SlidersIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M4.5 7h8M18 7h1.5M4.5 12h1.5M11.5 12h8M4.5 17h8M18 17h1.5" />
      <circle cx="15.2" cy="7" r="2.3" />
      <circle cx="8.8" cy="12" r="2.3" />
      <circle cx="15.2" cy="17" r="2.3" />
    </Icon>
  )
}

/** A knob with its marks: settings. */
export function KnobIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <circle cx="12" cy="12" r="3" />
      <path d="M12 3.5v2.7M12 17.8v2.7M20.5 12h-2.7M6.2 12H3.5M18 6l-1.9 1.9M7.9 16.1 6 18M18 18l-1.9-1.9M7.9 7.9 6 6" />
    </Icon>
  )
}
