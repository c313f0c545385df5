import { Problem } from '../problems/problem.js'

/** The problem of an unknown account id. */
export function noAccount(): Problem {
  return new Problem('not-found', 'Account not found.', {
    action: 'GET /admin/v1/accounts and capstan accounts list show the ids of all.',
  })
}
