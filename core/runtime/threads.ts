import { constants, setPriority } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Lowers the priority of the calling thread, so that background work delays no call. Only on Linux, where a priority applies to a thread
 * (setpriority(2), "C library/kernel differences"); elsewhere it would apply to the whole gateway, and nothing changes.
 */
export function lowerPriority(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
}

/** Below this many bytes no collection is forced. */
const WORTH = 4 * 1024 * 1024

/**
 * Forces a garbage collection in this thread when it has about so many bytes of garbage: a thread that goes idle after a large text would
 * keep it, twice, while the main thread makes its own copy. Blocks only this thread, for some milliseconds.
 */
export function collectGarbage(bytes: number): void {
  if (bytes < WORTH) return
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') Reflect.apply(collect, undefined, [])
}

/**
 * Enables heap limits per thread: V8's flags for the heap size override the `resourceLimits` of every thread (V8, Heap::ConfigureHeap). The
 * main thread's heap read its limits from them when it was created, and keeps them.
 */
export function letThreadsHaveOwnLimits(): void {
  setFlagsFromString('--max-old-space-size=0')
  setFlagsFromString('--max-semi-space-size=0')
}

/**
 * Lets a heap grow by three quarters before a full collection. V8's default is some 30 MiB above a gateway's heap, and bytes from the network
 * count towards it: they reach it before the collection of young objects, at 32 MiB, frees them (V8, Heap::AllocateExternalBackingStore).
 */
export function limitHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=75')
}
