export { Capstan, type CallRecord, type CapabilityInfo, type Tools } from './client.js'
export {
  APIConnectionError,
  APIStatusError,
  APITimeoutError,
  AuthenticationError,
  BadRequestError,
  CapstanError,
  ConflictError,
  InsufficientCreditsError,
  InternalServerError,
  NoResultError,
  NotFoundError,
  PermissionDeniedError,
  ProviderError,
  RateLimitError,
  TargetBlockedError,
  UnavailableError,
  ValidationError,
  type ValidationItem,
} from './errors.js'
export type { Download, FileInput } from './files.js'
export type { Capabilities, Metadata, Routes } from './generated.js'
export { type CapabilityId, type Data, type Envelope, type Params, Result, type StreamEvent } from './result.js'
export type { ClientOptions, Progress, RequestOptions } from './transport.js'
