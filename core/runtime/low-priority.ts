import { constants, setPriority } from 'node:os'

/**
 * Lets the calling thread run after the others of the machine, so that work without haste delays no call. Only on Linux, where a priority is
 * a thread's own (setpriority(2), "C library/kernel differences"); elsewhere it would be the whole gateway's, and nothing changes.
 */
export function lowerPriority(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
}
