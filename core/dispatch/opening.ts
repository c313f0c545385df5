import type { Clock } from '../runtime/clock.js'
import { Fault, openResource, type Resource, type ResourceHost } from '../sdk/index.js'

/** Most milliseconds that opening a resource may take. */
const OPENING_MS = 30_000

/** Opens a resource; rejects where the plugin's function throws. */
export async function open<R>(resource: Resource<R>, host: ResourceHost): Promise<R> {
  return await openResource(resource, host)
}

/** The opened resource, or a Fault `busy` after 30 seconds. */
export async function withinLimit<R>(opening: Promise<R>, { id }: Resource<R>, clock: Clock): Promise<R> {
  let stop = (): void => undefined
  const late = new Promise<never>((_resolve, reject) => {
    const internal = `resource ${id} has not opened within ${OPENING_MS} ms`
    stop = clock.after(OPENING_MS, () => reject(new Fault('busy', 'A part of the provider did not start in time.', { internal })))
  })
  try {
    return await Promise.race([opening, late])
  } finally {
    stop()
  }
}

/** Closes a resource that opens after its time limit; a failure is logged. Never rejects. */
export async function closeLate<R>(
  resource: Resource<R>,
  { opening, host, cleanUp }: { opening: Promise<R>; host: ResourceHost; cleanUp: () => Promise<void> },
): Promise<void> {
  const [late] = await Promise.allSettled([opening])
  if (late.status === 'rejected') return
  try {
    await resource.close?.(late.value)
    await cleanUp()
  } catch (error) {
    host.log('a resource that opened too late could not be closed', { error: String(error) })
  }
}
