import { WebSocketServer } from 'ws'
import { z } from 'zod'

import { F, newFrame, setHead } from '../../electron/robot/kinematics/frame.ts'
import { createInverse } from '../../electron/robot/kinematics/inverse.ts'
import { headOf, sleepFrame } from '../../electron/robot/kinematics/poses.ts'

import { listenOnLoopback, sendJson } from './http.ts'

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { WebSocket } from 'ws'

/** What can be otherwise with a daemon; changed while it runs. */
export interface DaemonFaults {
  state: 'not_initialized' | 'starting' | 'running' | 'stopping' | 'stopped' | 'error'
  /** Its own words of an error. */
  error: string | null
  /** Somebody else has the robot. */
  holder: string | null
  /** The lock's route is not there, as in older daemons. */
  old: boolean
  /** Joints are not told any more. */
  silent: boolean
  /** Torque cannot be switched off. */
  stuckTorque: boolean
  /** Routes answer a page instead of JSON. */
  html: boolean
  /** The socket's route is not there, as before version 1.5. */
  noSocket: boolean
  /** Answers begin and never end. */
  stalls: boolean
  /** Milliseconds before each answer of a route. */
  lateMs: number
}

/** A stand-in for the robot's daemon: status, motors and lock over REST, targets and joints over `/ws/sdk`. */
export interface StandInDaemon {
  readonly url: string
  readonly faults: DaemonFaults
  /** Joints where they are now, radians: body, six of the platform, right and left antenna. */
  readonly joints: Float64Array
  readonly torque: boolean
  /** Messages of the socket, oldest first. */
  readonly received: ReadonlyArray<Record<string, unknown>>
  /** Routes asked, as `POST /api/…`. */
  readonly asked: readonly string[]
  /** Cuts every socket; the daemon itself goes on. */
  cut(): void
  close(): Promise<void>
}

const PERIOD_MS = 20
/** Share of the way to the target that the joints go in one period. */
const PACE = 0.4

const targetSchema = z.object({
  type: z.literal('set_full_target'),
  head: z.array(z.number()).length(16).optional(),
  antennas: z.tuple([z.number(), z.number()]).optional(),
  body_yaw: z.number().nullish(),
})
const torqueSchema = z.object({ type: z.literal('set_torque'), on: z.boolean() })

export async function startDaemon(port = 0): Promise<StandInDaemon> {
  const faults: DaemonFaults = {
    state: 'running',
    error: null,
    holder: null,
    old: false,
    silent: false,
    stuckTorque: false,
    html: false,
    noSocket: false,
    stalls: false,
    lateMs: 0,
  }
  const inverse = createInverse()
  const joints = new Float64Array(9)
  const goal = new Float64Array(9)
  const target = sleepFrame()
  const received: Array<Record<string, unknown>> = []
  const asked: string[] = []
  let torque = false

  const solve = (): void => {
    inverse.solve(headOf(target), target[F.body] as number, goal)
    goal[0] = target[F.body] as number
    goal[7] = target[F.right] as number
    goal[8] = target[F.left] as number
  }
  solve()
  joints.set(goal)

  const setTorque = (on: boolean): void => {
    if (!on && faults.stuckTorque) return
    if (on && !torque) goal.set(joints)
    torque = on
  }

  const status = (): unknown => ({
    type: 'daemon_status',
    robot_name: 'reachy_mini',
    state: faults.state,
    wireless_version: false,
    desktop_app_daemon: false,
    simulation_enabled: false,
    mockup_sim_enabled: false,
    backend_status: {
      ready: faults.state === 'running',
      motor_control_mode: torque ? 'enabled' : 'disabled',
      error: null,
    },
    error: faults.error,
    version: '1.10.0',
    hardware_id: null,
  })

  const route = (method: string, path: string, response: ServerResponse): void => {
    if (method === 'GET' && path === '/api/daemon/status') return sendJson(response, 200, status())
    if (method === 'GET' && path === '/api/daemon/robot-app-lock-status' && !faults.old) {
      const state = faults.holder === null ? 'free' : 'local_app'
      return sendJson(response, 200, { state, holder_name: faults.holder })
    }
    if (faults.state !== 'running' && !path.startsWith('/api/daemon/')) {
      return sendJson(response, 503, { detail: 'Backend not running' })
    }
    if (method === 'GET' && path === '/api/motors/status') {
      return sendJson(response, 200, { mode: torque ? 'enabled' : 'disabled' })
    }
    // Without the Placo engine the daemon cannot hold the head against gravity, and falls over the question.
    if (path === '/api/motors/set_mode/gravity_compensation') {
      return sendJson(response, 500, { detail: 'Internal Server Error' })
    }
    const mode = /^\/api\/motors\/set_mode\/(enabled|disabled)$/.exec(path)?.[1]
    if (method === 'POST' && mode !== undefined) {
      setTorque(mode === 'enabled')
      return sendJson(response, 200, { status: `motors changed to ${mode} mode` })
    }
    if (method === 'POST' && path.startsWith('/api/daemon/start')) {
      faults.state = 'running'
      return sendJson(response, 200, { job_id: '1' })
    }
    return sendJson(response, 404, { detail: 'Not Found' })
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const method = request.method ?? 'GET'
    const path = request.url ?? '/'
    asked.push(`${method} ${path}`)
    if (faults.lateMs > 0) await new Promise((resolve) => setTimeout(resolve, faults.lateMs))
    if (faults.html) {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>hello</html>')
      return
    }
    if (faults.stalls) {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"robot_name":')
      return
    }
    route(method, path, response)
  }

  const obey = (text: string): void => {
    const message = JSON.parse(text) as Record<string, unknown>
    received.push(message)
    const wanted = targetSchema.safeParse(message)
    if (wanted.success && torque) {
      const { head, antennas, body_yaw } = wanted.data
      if (head) setHead(target, Float64Array.from(head))
      if (antennas) [target[F.right], target[F.left]] = antennas
      if (typeof body_yaw === 'number') target[F.body] = body_yaw
      solve()
    }
    const change = torqueSchema.safeParse(message)
    if (change.success) setTorque(change.data.on)
  }

  const server = await listenOnLoopback(answer, port)
  const sockets = new Set<WebSocket>()
  const socketServer = new WebSocketServer({ noServer: true })
  server.onUpgrade((request, stream, head) => {
    if (faults.noSocket) {
      stream.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
      return
    }
    if (request.url !== '/ws/sdk' || faults.state !== 'running') {
      stream.destroy()
      return
    }
    socketServer.handleUpgrade(request, stream, head, (socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      socket.on('message', (data: Buffer) => obey(data.toString('utf8')))
    })
  })

  const timer = setInterval(() => {
    const aim = torque ? goal : null
    if (aim)
      for (let i = 0; i < 9; i++)
        joints[i] = (joints[i] as number) + PACE * ((aim[i] as number) - (joints[i] as number))
    if (faults.silent) return
    const message = JSON.stringify({
      type: 'joint_positions',
      head_joint_positions: [...joints.subarray(0, 7)],
      antennas_joint_positions: [...joints.subarray(7)],
    })
    for (const socket of sockets) {
      socket.send(message)
      socket.send(JSON.stringify({ type: 'head_pose', head_pose: [] }))
    }
  }, PERIOD_MS)

  return {
    url: server.url,
    faults,
    joints,
    get torque() {
      return torque
    },
    received,
    asked,
    cut() {
      for (const socket of sockets) socket.terminate()
    },
    async close() {
      clearInterval(timer)
      for (const socket of sockets) socket.terminate()
      await server.close()
    },
  }
}

/** A frame of the rest posture turned to the left by an angle, radians: for tests of what arrives. */
export function turnedFrame(yaw: number): Float64Array {
  const frame = newFrame()
  frame[F.yaw] = yaw
  frame[F.body] = yaw
  return frame
}
