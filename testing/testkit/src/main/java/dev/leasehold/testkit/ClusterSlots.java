package dev.leasehold.testkit;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The hash slots of Redis Cluster, as its specification defines them. */
final class ClusterSlots {

    static final int COUNT = 16_384;

    private static final int POLYNOMIAL = 0x1021;

    private ClusterSlots() {}

    /**
     * Returns the slot of a key: of the text within its first pair of braces if that is not empty, else of the
     * whole key.
     */
    static int of(String key) {
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        int open = indexOf(bytes, '{', 0);
        int close = open < 0 ? -1 : indexOf(bytes, '}', open + 1);
        byte[] hashed = close > open + 1 ? Arrays.copyOfRange(bytes, open + 1, close) : bytes;
        return crc16(hashed) % COUNT;
    }

    static int require(int slot) {
        if (slot < 0 || slot >= COUNT) {
            throw new IllegalArgumentException("A slot lies within 0 to " + (COUNT - 1) + ", not " + slot);
        }
        return slot;
    }

    private static int indexOf(byte[] bytes, char wanted, int from) {
        for (int i = from; i < bytes.length; i++) {
            if (bytes[i] == wanted) {
                return i;
            }
        }
        return -1;
    }

    /** Computes CRC-16/XMODEM. */
    private static int crc16(byte[] bytes) {
        int crc = 0;
        for (byte b : bytes) {
            crc ^= (b & 0xff) << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 0x8000) == 0 ? crc << 1 : (crc << 1) ^ POLYNOMIAL;
            }
        }
        return crc & 0xffff;
    }
}
