import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Collects all garbage of the process. */
export const collect = setFlagsFromString('--expose-gc') ?? (runInNewContext('gc') as () => void)
