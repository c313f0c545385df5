import type { Clock } from '../runtime/clock.js'
import type { HttpContext } from './exchange.js'

/** So long what is left of a body is passed over, in milliseconds. */
const LINGER_MS = 5_000

/**
 * Passes over what is left of a refused body behind its answer, for five seconds at most. A connection that is closed while its peer still sends is
 * reset, and many clients then never read the answer. To be called before the answer is written.
 */
export function linger({ req, res }: HttpContext, clock: Clock): void {
  const { socket } = req
  const goesOn = res.shouldKeepAlive
  // Node would close the connection of a client that asked for it right behind the answer.
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
