import { must, type Gateway } from './start.js'

/** Gives the default account money, and makes keys whose limit no measurement reaches. */
export async function furnish({ url, first }: Gateway, count: number): Promise<string[]> {
  const token = first?.admin_token ?? ''
  await must(`${url}/admin/v1/accounts/default/grants`, token, { amount: 100_000_000, ref: 'benchmark' })
  const keys: string[] = []
  for (let made = 0; made < count; made++)
    keys.push((await must<{ key: string }>(`${url}/admin/v1/accounts/default/keys`, token, { rate_limit_per_minute: 100_000 })).key)
  return keys
}
