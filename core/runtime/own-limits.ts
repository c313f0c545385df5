import { setFlagsFromString } from 'node:v8'

/**
 * Lets threads have heap limits of their own: V8's flags for the size of a heap overrule the `resourceLimits` of every thread (V8, Heap::
 * ConfigureHeap). The main thread's heap got its limits from them when it was made, and keeps them.
 */
export function letThreadsHaveOwnLimits(): void {
  setFlagsFromString('--max-old-space-size=0')
  setFlagsFromString('--max-semi-space-size=0')
}
