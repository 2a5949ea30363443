// Counts up under redlock's lock: lock.js <port> <key of the lock> <key of the counter>, until "<counter>:stop" exists
const Redis = require("ioredis");
const Redlock = require("redlock");

const [port, key, counter] = process.argv.slice(2);
const client = new Redis(Number(port), "127.0.0.1");
const redlock = new Redlock([client], { retryCount: -1, retryDelay: 2, retryJitter: 1 });

async function main() {
  await client.ping();
  console.log("ready");
  let times = 0;
  while (!(await client.exists(counter + ":stop"))) {
    const lock = await redlock.lock(key, 10000);
    // Read and written separately: a write in between loses a count.
    const seen = Number((await client.get(counter)) || 0);
    await client.set(counter, seen + 1);
    times++;
    await lock.unlock();
  }
  console.log("redlock", require("redlock/package.json").version, times);
  client.disconnect();
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
