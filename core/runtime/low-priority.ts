import { constants, setPriority } from 'node:os'

/**
 * Lowers the priority of the calling thread, so that background work delays no call. Only on Linux, where a priority applies to a thread
 * (setpriority(2), "C library/kernel differences"); elsewhere it would apply to the whole gateway, and nothing changes.
 */
export function lowerPriority(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
}
