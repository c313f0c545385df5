/**
 * Runs a task for each item in order, with limited concurrency; rejects with the first rejection. When `goOn` returns
 * false, items not yet started are skipped.
 */
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
