/** Location of a list: in the source tree, since the build has no copy. */
export function listFile(name: string): URL {
  return new URL(`../../../../plugins/emails/lists/${name}`, import.meta.url)
}
