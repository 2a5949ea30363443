package dev.leasehold.architecture.sample;

abstract class Hidden {
    public String fromAbove() {
        return "";
    }
}
