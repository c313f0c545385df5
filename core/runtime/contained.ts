/**
 * A listener on untrusted bytes (a page's reply, a peer's frame) whose exception is passed to `fail`, which ends the connection. Otherwise
 * an exception in an emitter's listener is an uncaught error of the process.
 */
export function contained<A extends readonly unknown[]>(
  listener: (...args: A) => void,
  fail: (error: unknown) => void,
): (...args: A) => void {
  return (...args) => {
    try {
      listener(...args)
    } catch (error) {
      fail(error)
    }
  }
}
