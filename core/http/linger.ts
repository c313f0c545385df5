import type { Clock } from '../clock.js'
import type { HttpContext } from './exchange.js'

/** So long what is left of a body is passed over, in milliseconds. */
const LINGER_MS = 5_000

/**
 * Passes over what is left of a refused body behind its answer, for five seconds at most. A connection that is closed while its peer still sends is
 * reset, and many clients then never read the answer.
 */
export function linger({ req }: HttpContext, clock: Clock): void {
  const stop = clock.after(LINGER_MS, () => void req.socket.destroy())
  req.once('close', stop)
  req.once('end', stop)
  req.resume()
}
