/** Makes the error that carries an answer out of a cache load which must not keep it, to all who wait for that load. */
export function notKept<T>() {
  return class NotKept extends Error {
    readonly answer: T

    constructor(answer: T) {
      super('an answer that is not kept')
      this.answer = answer
    }
  }
}
