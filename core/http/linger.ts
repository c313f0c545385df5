import type { Clock } from '../runtime/clock.js'
import type { HttpContext } from './exchange.js'

/** How long the rest of a body is discarded, in milliseconds. */
const LINGER_MS = 5_000

/**
 * Discards the rest of a refused body after its answer, for at most five seconds. A connection that is closed while its
 * peer still sends is reset, and many clients then never read the answer. Call before the answer is written.
 */
export function linger({ req, res }: HttpContext, clock: Clock): void {
  const { socket } = req
  const goesOn = res.shouldKeepAlive
  // Otherwise Node closes the connection right after the answer if the client requested that.
  res.shouldKeepAlive = true
  res.once('finish', () => {
    const stop = clock.after(LINGER_MS, () => socket.destroy())
    const over = (): void => {
      stop()
      if (!goesOn) socket.end()
    }
    socket.once('close', stop)
    if (req.readableEnded) over()
    else req.once('end', over)
  })
  req.resume()
}
