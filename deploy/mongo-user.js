/* global db */
/* Run once by the MongoDB container on an empty volume: the gateways' own user, who owns one database and nothing else. */
db.getSiblingDB('capstan').createUser({
  user: 'capstan',
  pwd: process.env.STORE_PASSWORD,
  roles: [{ role: 'readWrite', db: 'capstan' }],
})
