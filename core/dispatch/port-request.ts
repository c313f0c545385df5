import type { Cancel } from '../cancel.js'
import type { LoadedPort } from '../loader/types.js'
import type { CallState } from './call.js'

/** A request to a port by the code that uses it. */
export interface PortRequest {
  readonly call: CallState
  readonly cancel: Cancel
  readonly depth: number
  readonly portId: string
  /** Not yet checked; defaults are filled in. */
  readonly given: unknown
  readonly only?: string | undefined
}

/** The same once its port is known and its input checked. */
export interface CheckedPortRequest {
  readonly call: CallState
  readonly port: LoadedPort
  /** Checked against the port's input schema and frozen. */
  readonly input: unknown
  readonly cancel: Cancel
  /** How many ports stand above this one. */
  readonly depth: number
  /** Ask this vendor alone. */
  readonly only?: string | undefined
}

/** A vendor's result. */
export interface PortResult {
  readonly provider: string
  readonly data: unknown
}

/** The ports of the registry in force. */
export interface Ports {
  invoke(request: PortRequest): Promise<PortResult>
  gather(request: PortRequest): Promise<PortResult[]>
  live(portId: string): boolean
}
