import { Fault, type Violation } from '../../core/sdk/index.js'
import type { DomainName } from './domain.js'

/** How a text is read as a domain, or what is wrong with it, as a sentence without its subject. */
type DomainReader = (text: string) => DomainName | { readonly wrong: string }

/** The three steps of an input field `domain`. */
interface DomainField {
  /** The name as it is read; what is no domain stays as it is, for `violations` to refuse. */
  readonly normal: (text: string) => string
  /** What is wrong with a text that is no domain, at `domain`; empty for a domain. */
  readonly violations: (text: string) => readonly Violation[]
  /** A name that `violations` let pass, and the registrable domain above it. Throws an `invalid` Fault for any other. */
  readonly read: (text: string) => DomainName
}

/** The steps of a field `domain` that is read so. */
export function domainField(reader: DomainReader): DomainField {
  return {
    normal: (text) => {
      const read = reader(text)
      return 'wrong' in read ? text : read.name
    },
    violations: (text) => {
      const read = reader(text)
      return 'wrong' in read ? [{ loc: ['domain'], msg: read.wrong }] : []
    },
    read: (text) => {
      const read = reader(text)
      if ('wrong' in read) throw new Fault('invalid', `domain: ${read.wrong}.`, { loc: ['domain'] })
      return read
    },
  }
}
