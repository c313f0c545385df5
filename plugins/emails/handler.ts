export { emailsVerifyHandler } from './verify/handler.js'
