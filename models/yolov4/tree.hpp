// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

// The modules of YOLOv4 and yolov4-tiny as trees of convolutions: T is a convolution's weights on the host, or its parameters on the
// device. each() calls visit(name, convolution) for every convolution in Darknet's order, with the names of the PyTorch port; `name` is
// the module's own, with its dot.
namespace zoo::yolov4 {

template <class T>
struct Resblock {
    std::vector<std::array<T, 2>> blocks;  // 1x1, then 3x3; the block's input is added

    template <class Self, class Visit>
    static void each(Self& self, const std::string& name, const Visit& visit) {
        for (std::size_t i = 0; i < self.blocks.size(); ++i) {
            const std::string block = name + "module_list." + std::to_string(i);
            visit(block + ".0", self.blocks[i][0]);
            visit(block + ".1", self.blocks[i][1]);
        }
    }
};

template <class T>
struct Downsample1 {
    T conv1, conv2, conv3, conv4, conv5, conv6, conv7, conv8;

    template <class Self, class Visit>
    static void each(Self& self, const std::string& name, const Visit& visit) {
        int number = 0;
        for (auto* conv :
             {&self.conv1, &self.conv2, &self.conv3, &self.conv4, &self.conv5, &self.conv6, &self.conv7, &self.conv8}) {
            visit(name + "conv" + std::to_string(++number), *conv);
        }
    }
};

// ds2 to ds5.
template <class T>
struct Downsample {
    T conv1, conv2, conv3;
    Resblock<T> resblock;
    T conv4, conv5;

    template <class Self, class Visit>
    static void each(Self& self, const std::string& name, const Visit& visit) {
        visit(name + "conv1", self.conv1);
        visit(name + "conv2", self.conv2);
        visit(name + "conv3", self.conv3);
        Resblock<T>::each(self.resblock, name + "resblock.", visit);
        visit(name + "conv4", self.conv4);
        visit(name + "conv5", self.conv5);
    }
};

template <class T>
struct Neck {
    T conv1, conv2, conv3;                                     // before the pyramid of pools
    T conv4, conv5, conv6, conv7;                              // after it, then to the upsampling
    T conv8, conv9, conv10, conv11, conv12, conv13;            // with ds4
    T conv14, conv15, conv16, conv17, conv18, conv19, conv20;  // with ds3

    template <class Self, class Visit>
    static void each(Self& self, const std::string& name, const Visit& visit) {
        int number = 0;
        for (auto* conv :
             {&self.conv1,  &self.conv2,  &self.conv3,  &self.conv4,  &self.conv5,  &self.conv6,  &self.conv7,
              &self.conv8,  &self.conv9,  &self.conv10, &self.conv11, &self.conv12, &self.conv13, &self.conv14,
              &self.conv15, &self.conv16, &self.conv17, &self.conv18, &self.conv19, &self.conv20}) {
            visit(name + "conv" + std::to_string(++number), *conv);
        }
    }
};

template <class T>
struct Head {
    T conv1, conv2;                                                    // the finest map
    T conv3, conv4, conv5, conv6, conv7, conv8, conv9, conv10;         // the middle one
    T conv11, conv12, conv13, conv14, conv15, conv16, conv17, conv18;  // the coarsest

    template <class Self, class Visit>
    static void each(Self& self, const std::string& name, const Visit& visit) {
        int number = 0;
        for (auto* conv :
             {&self.conv1, &self.conv2, &self.conv3, &self.conv4, &self.conv5, &self.conv6, &self.conv7, &self.conv8,
              &self.conv9, &self.conv10, &self.conv11, &self.conv12, &self.conv13, &self.conv14, &self.conv15,
              &self.conv16, &self.conv17, &self.conv18}) {
            visit(name + "conv" + std::to_string(++number), *conv);
        }
    }
};

template <class T>
struct Full {
    Downsample1<T> down1;
    Downsample<T> down2, down3, down4, down5;
    Neck<T> neck;
    Head<T> head;

    // The PyTorch port spells its neck "neek".
    template <class Self, class Visit>
    static void each(Self& self, const Visit& visit) {
        Downsample1<T>::each(self.down1, "down1.", visit);
        Downsample<T>::each(self.down2, "down2.", visit);
        Downsample<T>::each(self.down3, "down3.", visit);
        Downsample<T>::each(self.down4, "down4.", visit);
        Downsample<T>::each(self.down5, "down5.", visit);
        Neck<T>::each(self.neck, "neek.", visit);
        Head<T>::each(self.head, "head.", visit);
    }
};

// A convolution, two on the second half of its channels, one that joins them.
template <class T>
struct TinyBlock {
    T conv1, conv2, conv3, conv4;

    template <class Self, class Visit>
    static void each(Self& self, const std::string& name, const Visit& visit) {
        int number = 0;
        for (auto* conv : {&self.conv1, &self.conv2, &self.conv3, &self.conv4}) {
            visit(name + "conv" + std::to_string(++number), *conv);
        }
    }
};

template <class T>
struct TinyHead {
    T conv1, conv2;         // shared by both maps
    T conv3, conv4;         // the coarse map
    T conv5, conv6, conv7;  // upsampled to the fine one

    template <class Self, class Visit>
    static void each(Self& self, const std::string& name, const Visit& visit) {
        int number = 0;
        for (auto* conv : {&self.conv1, &self.conv2, &self.conv3, &self.conv4, &self.conv5, &self.conv6, &self.conv7}) {
            visit(name + "conv" + std::to_string(++number), *conv);
        }
    }
};

template <class T>
struct Tiny {
    T conv1, conv2;  // of stride 2
    TinyBlock<T> block1, block2, block3;
    TinyHead<T> head;

    template <class Self, class Visit>
    static void each(Self& self, const Visit& visit) {
        visit("conv1", self.conv1);
        visit("conv2", self.conv2);
        TinyBlock<T>::each(self.block1, "block1.", visit);
        TinyBlock<T>::each(self.block2, "block2.", visit);
        TinyBlock<T>::each(self.block3, "block3.", visit);
        TinyHead<T>::each(self.head, "head.", visit);
    }
};

}  // namespace zoo::yolov4
