import { CATALOGUE, type Category, type ProblemKind, type Slug } from './catalogue.js'

/** One error in a request's content; `loc` begins with body, query, path or header. */
export interface ValidationItem {
  readonly loc: readonly (string | number)[]
  readonly msg: string
  readonly type: string
}

export interface ProblemOptions {
  /** For the log only. */
  internal?: string
  retryAfterSeconds?: number
  category?: Category
  retriable?: boolean
  /** The search was incomplete, so the same request may find something later: not kept under an Idempotency-Key. */
  inconclusive?: boolean
  /** A remedy that is more specific than the catalogue's. */
  action?: string
  validation?: readonly ValidationItem[]
  headers?: Readonly<Record<string, string>>
  cause?: unknown
}

/** An error of the catalogue: the only kind that is sent to callers. `message` is its public detail. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly slug: Slug
  readonly options: ProblemOptions

  constructor(slug: Slug, detail: string, options: ProblemOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause })
    this.slug = slug
    this.options = options
  }

  get kind(): ProblemKind {
    return CATALOGUE[this.slug]
  }

  get status(): number {
    return this.kind.status
  }

  get retriable(): boolean {
    return this.options.retriable ?? this.kind.retriable
  }
}

/** The error object of an answer (RFC 7807 with the specification's extra fields). */
export interface ProblemBody {
  type: string
  title: string
  status: number
  detail: string
  is_retriable: boolean
  retry_after_seconds?: number
  alternative_action: string
  error_category: Category
}

/** Renders a problem. `base` is the public base address of error types. */
export function problemBody(problem: Problem, base: string): ProblemBody {
  const { kind, options } = problem
  return {
    type: `${base}/errors/${problem.slug}`,
    title: kind.title,
    status: kind.status,
    detail: finished(problem.message),
    is_retriable: problem.retriable,
    ...(options.retryAfterSeconds === undefined ? {} : { retry_after_seconds: options.retryAfterSeconds }),
    alternative_action: options.action ?? kind.cure,
    error_category: options.category ?? kind.category,
  }
}

/** A text with a full stop, unless it already ends a sentence. */
export function finished(text: string): string {
  return /[.?!…]$/.test(text) ? text : `${text}.`
}
