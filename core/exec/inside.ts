import { relative } from 'node:path'

/** True when the path is the folder or below it. Both absolute. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith('../')
}
