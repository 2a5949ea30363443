package dev.leasehold.tck.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.SimulatedRedis;
import dev.leasehold.testkit.WithRedis;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The guarantees of scripts and commands beyond Leasehold's own use: the simulation answers exactly like Redis. */
@WithRedis
class LuaBehaviourIT {

    /** The year 2096, in us. */
    private static final long TIME = 4_000_000_000_000_000L;

    private final SimulatedRedis simulation = SimulatedRedis.create(() -> TIME);
    private final Wire wire;

    LuaBehaviourIT(EmbeddedRedis redis) {
        this.wire = new Wire(redis);
    }

    @AfterEach
    void close() {
        wire.close();
        simulation.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Numbers
                "return {tostring(1e14), tostring(1e15), tostring(2^53), tostring(0.1), tostring(-0.0)}",
                "return {string.format('%.0f', 2^53), string.format('%d', 3.99), string.format('%d', 2^53)}",
                "return {string.format('%.17g', 0.1), string.format('%5.1f|%x|%q', 2.25, 255, 'a\"b')}",
                "return {tonumber('0x10'), tonumber(' 12 '), tonumber('1e3'), tostring(tonumber('12x'))}",
                "return {tonumber('9007199254740993') == 2^53, math.ceil(4000000000000000.5 / 1000)}",
                "return {1, 2.9, -2.9, 1e10, 2^40, 2^53}",
                "return 3.99",
                "return -3.99",
                "return 1e30",
                "return -1e30",
                "return 2^63",
                "return {math.max(1, 2^53), math.floor(-0.5), math.huge}",
                "return {tostring(1/0), tostring(-1/0), 7 % 3, -7 % 3, tostring(5.5 % 2)}",
                "return {'10' + 5, 10 .. 20, 1e15 .. '', 2^53 .. ''}",
                "return {redis.call('ECHO', 1e15), redis.call('ECHO', 0.1), redis.call('ECHO', -0.0)}",
                "return {redis.call('ECHO', 2^53), redis.call('ECHO', 1e100), redis.call('ECHO', 1/0)}",
                "return {redis.call('ECHO', 1e14), redis.call('ECHO', 123456789012345678), redis.call('ECHO', -7)}",
                // Tables and lists
                "return {1, 'a', nil, 3}",
                "return {nil, 1}",
                "return {}",
                "return {1, false, true, {ok='fine'}, {1, {2, 'b'}}}",
                "return {a = 1}",
                "local t = {} t[1] = 1 t[3] = 3 return #t",
                "local t = {1, 2, nil, 4} return #t",
                "local t = {n = 1, 5, 6} return {#t, unpack(t)}",
                "return {unpack({1, 2, 3}, 2)}",
                "return {select('#', 1, nil, nil), select(2, 'a', 'b', 'c')}",
                "local t = {3, 1, 2} table.sort(t) table.insert(t, 1, 'x') return t",
                "return table.concat({1, 2.5, 'c'}, ',')",
                "return {table.getn({1, 2}), table.maxn({[5] = 1})}",
                "local s = '' for k, v in pairs({10, 20, x = 1}) do s = s .. tostring(k) .. '=' .. v .. ' ' end return s",
                // Strings
                "return {#'äöü', string.len('a\\0b'), string.byte('ä', 1, -1)}",
                "return {string.match('1:2:3', '^(%d+):(%d+):(%d+)$')}",
                "return {string.find('abc', 'b', 1, true), string.sub('000007', -3), string.rep('ab', 3)}",
                "return {string.gsub('hello', 'l', 'L')}",
                "return {('x'):rep(3), ('A'):lower()}",
                "return 'zero \\0 byte'",
                "return {KEYS[1], ARGV[1], #KEYS, #ARGV, tostring(KEYS[2])}",
                // Replies of commands
                "return redis.call('HMGET', 'h', 'a', 'b')",
                "return {tostring(redis.call('HGET', 'h', 'b')), type(redis.call('HGETALL', 'nokey'))}",
                "return redis.call('TYPE', 'h')",
                "return redis.call('TYPE', 'nokey').ok",
                "return redis.call('hset', 'h3', 'a', 1e14, 'b', 2)",
                "return {redis.call('EXISTS', 'h', 'h', 'nokey'), redis.call('HDEL', 'h', 'a', 'a', 'b')}",
                "return {redis.pcall('GET', 'h')}",
                "return redis.pcall('GET', 'h').err",
                "return redis.pcall('GET', 'h')",
                "return redis.status_reply('OKAY')",
                "return redis.error_reply('MY thing')",
                "return redis.error_reply('-MY thing')",
                "return redis.error_reply('single')",
                "return redis.error_reply('')",
                "return redis.status_reply(5)",
                "return {err = 'MY thing'}",
                "return {err = 5}",
                "return {ok = 5}",
                "return redis.sha1hex('a')",
                "return {redis.replicate_commands(), redis.REPL_ALL, redis.LOG_WARNING, redis.REDIS_VERSION_NUM}",
                // Errors
                "return redis.call('GET', 'h')",
                "\n\nreturn redis.call('HGET', 's', 'a')",
                "error('x')",
                "error('x', 0)",
                "error({err = 'MY thing'})",
                "error()",
                "error(5)",
                "local x = nil; return x.y",
                "local function f(a) return a + 1 end\nreturn f(nil)",
                "return nil < 1",
                "return {pcall(error, 'x')}",
                "local ok, e = pcall(redis.call, 'GET', 'h') return {tostring(ok), type(e), e}",
                "local ok, e = pcall(function() error({err = 'MY thing'}) end) return {type(e), e}",
                "local ok, e = pcall(function() error({1, 2}) end) return {type(e), e[2]}",
                "local ok, e = xpcall(function() error('x') end, function(m) return 'handled ' .. m end) return e",
                "local ok, e = pcall(redis.call, 'GET', 'h') error(e, 0)",
                "return redis.call('NOSUCH')",
                "return redis.call('GET')",
                "return redis.call()",
                "return redis.call({})",
                "return redis.call('GET', true)",
                "return redis.call('GET', nil)",
                "return redis.call('SUBSCRIBE', 'a')",
                "return redis.call('EVAL', 'return 1', 0)",
                "return redis.call('HSET', 'h', 'a')",
                "return redis.call('HSET', 'h', 'a', 1, 'b')",
                "return redis.call('PEXPIREAT', 'h', 'abc')",
                "return redis.call('PEXPIREAT', 'h', 1.5)",
                "return redis.call('HINCRBY', 'h', 'f', 'x')",
                "redis.call('HSET', 'h', 'f', 'z') return redis.call('HINCRBY', 'h', 'f', 1)",
                "return redis.call('HINCRBY', 'h', 'a', '9223372036854775807')",
                "return redis.sha1hex()",
                // The sandbox
                "return foo",
                "return _G.foo",
                "foo = 1",
                "function foo() end",
                "string = nil",
                "string.x = 1",
                "redis.call = 1",
                "math.floor = 1",
                "_G.KEYS2 = 1",
                "rawset(_G, 'a', 1)",
                "setmetatable(_G, {})",
                "return tostring(getmetatable(_G) == nil)",
                "return tostring(string.nosuch)",
                "return os.time()",
                "return io.open('/etc/passwd')",
                "return print(1)",
                "return require('x')",
                "return dofile('x')",
                "return debug.getinfo(1)",
                "return loadstring('return 7')()",
                "return loadstring('foo = 1')()",
                "return {loadstring('x x')}",
                "return setmetatable({}, {__index = function(t, k) return k .. '!' end}).hey",
                "syntax error here",
                "return 'a' ..",
            })
    void aScriptDoesTheSame(String body) {
        same("EVAL", body, "1", "h", "argument");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET s",
                "GET h",
                "GET nokey",
                "HGET s a",
                "HGETALL h",
                "HGETALL s",
                "HKEYS h",
                "HVALS h",
                "HLEN h",
                "HLEN nokey",
                "HEXISTS h a",
                "HEXISTS h b",
                "HSETNX h a 2",
                "HSETNX h b 2",
                "HSET h a",
                "HSET h a 1 b",
                "HDEL h a",
                "HDEL h nofield",
                "HDEL s a",
                "HINCRBY h a 5",
                "HINCRBY h n -3",
                "HINCRBY h a x",
                "HINCRBY h a 01",
                "HINCRBY h a +1",
                "TYPE s",
                "TYPE nokey",
                "EXISTS s s nokey",
                "DEL s nokey h",
                "UNLINK s",
                "INCR s",
                "INCR h",
                "INCRBY s 10",
                "INCRBY s x",
                "SET s 2",
                "SET s 2 NX",
                "SET n 2 XX",
                "SET n 2 NX",
                "SET h text",
                "SET s 2 PX 0",
                "SET s 2 PX x",
                "SET s 2 FOO",
                "PTTL s",
                "PTTL nokey",
                "PEXPIRETIME s",
                "EXPIRETIME nokey",
                "PEXPIREAT s 4000000000001",
                "EXPIREAT s 4000000001",
                "PEXPIREAT nokey 4000000000001",
                "PEXPIREAT s 1",
                "PEXPIREAT s x",
                "PEXPIREAT s 99999999999999999999",
                "EXPIRE s 9223372036854775807",
                "PERSIST s",
                "DBSIZE",
                "KEYS *",
                "KEYS h?",
                "KEYS [a-h]",
                "KEYS [^h]*",
                "SCAN 0 MATCH * COUNT 100",
                "SCAN 0 MATCH * COUNT 100 TYPE hash",
                "SCAN x",
                "SCAN 0 MATCH",
                "PING",
                "PING hello",
                "ECHO hi",
                "ECHO",
                "nosuch",
                "nosuch a b",
                "get s",
                "EVALSHA ffff 0",
                "EVAL return 2",
                "EVAL return 2 1",
                "EVAL return 2 -1",
                "PUBLISH channel message",
                "SCRIPT EXISTS ffff",
                "SCRIPT FLUSH",
                "FLUSHALL",
            })
    void aCommandDoesTheSame(String command) {
        same(command.split(" ", -1));
    }

    private void same(String... command) {
        List<List<String>> all = new ArrayList<>();
        all.add(List.of("HSET", "h", "a", "1"));
        all.add(List.of("SET", "s", "1"));
        all.add(Arrays.asList(command));
        for (String key : List.of("h", "s", "n", "h3")) {
            all.add(List.of("TYPE", key));
            all.add(List.of("HGETALL", key));
            all.add(List.of("PEXPIRETIME", key));
        }
        List<Object> real = wire.commands(all).stream().map(BothSides::plain).toList();
        List<Object> simulated =
                all.stream().map(args -> BothSides.simulated(simulation, args)).toList();
        if (command[0].equals("KEYS") || command[0].equals("SCAN")) {
            // In no order.
            assertThat(sorted(simulated)).isEqualTo(sorted(real));
        } else {
            assertThat(simulated).containsExactlyElementsOf(real);
        }
    }

    private static List<String> sorted(List<Object> replies) {
        return replies.stream()
                .map(reply -> reply.toString().chars().sorted().boxed().toList().toString())
                .toList();
    }
}
