/** Limits of one run, in the policy and on the command line: ImageMagick's resource names and values. */
export const LIMITS = {
  memory: '384MiB',
  map: '384MiB',
  disk: '512MiB',
  area: '64MP',
  width: '16KP',
  height: '16KP',
  time: '60',
  thread: '2',
  'list-length': '300',
} as const

/** The arguments that set them. */
export function limitArgs(): string[] {
  return Object.entries(LIMITS).flatMap(([name, value]) => ['-limit', name, value])
}
