/** A synthetic page of one group, and the products of that group that it shows, with their versions. */
export interface TestPage {
  readonly category: string
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly head?: string
  readonly body?: string
  readonly shows: Readonly<Record<string, string | null>>
}
