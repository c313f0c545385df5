/** Where a list lies: beside the sources, of which the build has no copy. */
export function listFile(name: string): URL {
  return new URL(`../../../../plugins/emails/lists/${name}`, import.meta.url)
}
