import { readFileSync } from 'node:fs'
import { listFile } from './files.js'
import { SortedLines } from './sorted-lines.js'

const lists = ['free.txt', 'own-free.txt'].map((name) => new SortedLines(readFileSync(listFile(name), 'latin1')))

/** True for a domain where anyone can get a mailbox, such as gmail.com; `domain` as A-labels in lower case. */
export function isFreeMail(domain: string): boolean {
  return lists.some((list) => list.has(domain))
}
