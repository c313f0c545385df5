import type { HttpMiddleware } from './exchange.js'

/** Removes empty segments and the trailing slash, which base addresses with a trailing slash cause. */
export function withoutSlashes(path: string): string {
  if (!path.includes('//') && (path === '/' || !path.endsWith('/'))) return path
  return `/${path
    .split('/')
    .filter((part) => part !== '')
    .join('/')}`
}

/** Applies `withoutSlashes` to each request. */
export const plainPath: HttpMiddleware = (ctx, next) => {
  const { path } = ctx
  const plain = withoutSlashes(path)
  if (plain !== path) ctx.path = plain
  return next()
}
