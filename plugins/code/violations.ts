import { addressViolations } from '../_shared/address.js'
import type { Violation } from '../../core/sdk/index.js'
import type { CodeInput, InputFile, Language } from './contract.js'
import { isRunnerFile } from './program.js'

/** Maximum content of all input files together, in bytes. */
export const INPUT_BYTES = 10 * 1024 * 1024

/**
 * A name of the Python Package Index, with at most one exact version (PEP 508 names, PEP 440 versions): never an
 * option, an address or a path.
 */
const PACKAGE = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?(?:==[0-9][A-Za-z0-9.!+_-]*)?$/
const NO_BASE64 =
  'is not base64, as encoding says: send the bytes in base64 without data: in front or line breaks, or a text with encoding utf-8'
const NOT_BASE64 = /[^A-Za-z0-9+/]/

/** Checks of an input beyond the schema; all violations at once, `loc` relative to the body. */
export function violations(input: CodeInput): Violation[] {
  return [
    ...ofPackages(input),
    ...input.input_files.flatMap((file, index) => ofFile(file, index, input.language)),
    ...ofAllFiles(input.input_files),
  ]
}

function ofPackages({ packages, language }: CodeInput): Violation[] {
  const foreign = packages.length > 0 && language !== 'python'
  return [
    ...(foreign ? [{ loc: ['packages'], msg: `packages are for python; leave them out with ${language}` }] : []),
    ...packages.flatMap((name, index) =>
      PACKAGE.test(name)
        ? []
        : [{ loc: ['packages', index], msg: 'must be a package name, or name==version; no options, addresses or paths' }],
    ),
  ]
}

function ofFile({ name, content, encoding, url }: InputFile, index: number, language: Language): Violation[] {
  const at = ['input_files', index] as const
  const found: Violation[] = []
  const fault = badName(name, language)
  if (fault !== null) found.push({ loc: [...at, 'name'], msg: fault })
  if (content === null && url === null) found.push({ loc: [...at, 'content'], msg: 'give content or url' })
  if (content !== null && url !== null) found.push({ loc: [...at, 'url'], msg: 'give content or url, not both' })
  if (content !== null && encoding === 'base64' && !isBase64(content)) found.push({ loc: [...at, 'content'], msg: NO_BASE64 })
  if (url !== null) found.push(...addressViolations(url, { loc: [...at, 'url'], file: true }))
  return found
}

/** One pass: a single expression would backtrack over the whole content when its end is wrong. */
function isBase64(content: string): boolean {
  const end = content.search(NOT_BASE64)
  return content.length % 4 === 0 && (end === -1 || /^={1,2}$/.test(content.slice(end, end + 3)))
}

function badName(name: string, language: Language): string | null {
  if (/[/\\\p{Cc}\uFFFD]/u.test(name)) return 'must be a plain file name without folders'
  if (name.startsWith('.')) return 'must not begin with a dot'
  if (Buffer.byteLength(name) > 255) return 'must be at most 255 bytes long'
  return isRunnerFile(name, language) ? 'is the name of a file the runner makes; choose another' : null
}

function ofAllFiles(files: readonly InputFile[]): Violation[] {
  let left = INPUT_BYTES
  for (const { content, encoding } of files) if (content !== null && left >= 0) left -= sizeOf(content, encoding, left)
  const names = files.map(({ name }) => name)
  return [
    ...(left < 0 ? [{ loc: ['input_files'], msg: `are more than ${INPUT_BYTES} bytes together` }] : []),
    ...names.flatMap((name, index) =>
      names.indexOf(name) < index ? [{ loc: ['input_files', index, 'name'], msg: 'is the name of another input file' }] : [],
    ),
  ]
}

/** Characters counted at once. */
const PIECE = 1 << 20

/** Bytes of a content, or any number above `most` as soon as that is certain: counting all of a large one would block other calls. */
function sizeOf(content: string, encoding: InputFile['encoding'], most: number): number {
  if (encoding === 'base64') return Buffer.byteLength(content, 'base64')
  let size = content.length > most ? content.length : 0
  for (let at = 0; at < content.length && size <= most;) {
    // A surrogate pair is four bytes; its halves counted apart are six.
    const end = at + PIECE + (/[\ud800-\udbff]/.test(content.charAt(at + PIECE - 1)) ? 1 : 0)
    size += Buffer.byteLength(content.slice(at, end))
    at = end
  }
  return size
}
