import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** Where databases of tests lie: in memory where the machine has such a folder, in one that the run checks and deletes where it names one. */
export function inMemory(): string {
  return process.env['CAPSTAN_TEST_MEMORY'] ?? (existsSync('/dev/shm') ? '/dev/shm' : tmpdir())
}
