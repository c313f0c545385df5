import type { HttpMiddleware } from './exchange.js'

/** A path without the slashes too many that base addresses which end in one cause. */
export function withoutSlashes(path: string): string {
  if (!path.includes('//') && (path === '/' || !path.endsWith('/'))) return path
  return `/${path
    .split('/')
    .filter((part) => part !== '')
    .join('/')}`
}

/** Takes them out of each request. */
export const plainPath: HttpMiddleware = (ctx, next) => {
  const { path } = ctx
  const plain = withoutSlashes(path)
  if (plain !== path) ctx.path = plain
  return next()
}
