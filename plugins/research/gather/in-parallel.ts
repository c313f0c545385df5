/** Runs a task for each item in order, so many at the same time; ends with the first that rejects. `goOn` false leaves out the items that have not begun. */
export async function inParallel<T>(
  items: Iterable<T>,
  atOnce: number,
  task: (item: T) => Promise<void>,
  goOn: () => boolean = () => true,
): Promise<void> {
  const left = items[Symbol.iterator]()
  const lane = async (): Promise<void> => {
    while (goOn()) {
      const next = left.next()
      if (next.done === true) return
      await task(next.value)
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, atOnce) }, lane))
}
