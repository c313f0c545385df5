import { setFlagsFromString } from 'node:v8'

/**
 * Lets threads have heap limits of their own: V8's flags for the size of a heap overrule the `resourceLimits` of every thread (V8, Heap::
 * ConfigureHeap). The main thread's heap got its limits from them when it was made, and keeps them.
 */
export function letThreadsHaveOwnLimits(): void {
  setFlagsFromString('--max-old-space-size=0')
  setFlagsFromString('--max-semi-space-size=0')
}

/**
 * Lets a heap grow to twice what it holds before it is collected as a whole. V8's own bound is some 30 MiB above a gateway's heap, and bytes that arrive from
 * the network count to it: they reach it before the collection of young objects, at 32 MiB, frees them (V8, Heap::AllocateExternalBackingStore).
 */
export function letHeapsDouble(): void {
  setFlagsFromString('--heap-growing-percent=100')
}
