/**
 * A listener on foreign bytes (a page's reply, a peer's frame) whose failure is that connection's own: what it throws is handed to `fail`,
 * which ends the connection. Without that, whatever an emitter's listener throws is an error of the whole process.
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
