import { setFlagsFromString } from 'node:v8'

/**
 * Enables heap limits per thread: V8's flags for the heap size override the `resourceLimits` of every thread (V8, Heap::ConfigureHeap). The
 * main thread's heap read its limits from them when it was created, and keeps them.
 */
export function letThreadsHaveOwnLimits(): void {
  setFlagsFromString('--max-old-space-size=0')
  setFlagsFromString('--max-semi-space-size=0')
}

/**
 * Lets a heap grow to twice its size before a full collection. V8's default is some 30 MiB above a gateway's heap, and bytes from the network
 * count towards it: they reach it before the collection of young objects, at 32 MiB, frees them (V8, Heap::AllocateExternalBackingStore).
 */
export function letHeapsDouble(): void {
  setFlagsFromString('--heap-growing-percent=100')
}
